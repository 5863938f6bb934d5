"""Icon packs: folders of pictures with a list of their colors. The built-in drawings are one; add your own.

    my_pack/
      goal/<category>/<class>_<k>.png     one picture for each instance; also .jpg, .jpeg
      agent/<any>.png   block/<any>.png   floor/<any>.png (these three are optional)
      properties.txt                      lines of `<path> <color>`; `//` starts a comment

Every color is a word of the teacher; `na` is none. The pictures of the XWORLD of 2018 are such a pack. What cannot be
used of a pack is left out and logged in one line.
"""

import logging
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from xworld.world.checks import show
from xworld.world.picture import ICON_PIXELS, PackError, find_twins, lay_on, read_icon, read_texture, shrink
from xworld.world.state import FIRST_OBJECT
from xworld.world.view import CELL_PIXELS

BUILT_IN = Path(__file__).parent / "sprites"

_PICTURES = (".png", ".jpg", ".jpeg")
_NAME = re.compile(r"(?P<name>[a-z][a-z_-]*)_(?P<number>[0-9]+)")
_MOST_NAMED = 5  # files in a warning
_log = logging.getLogger("xworld")


@dataclass(frozen=True, order=True)
class Icon:
    """One instance: the word for its class, its color as written in the pack, and its picture file."""

    name: str
    number: int
    color: str
    path: Path


@dataclass(frozen=True)
class Pack:
    """The icons of a folder, sorted by class and number, and the pictures of agent, wall and floor."""

    icons: tuple[Icon, ...]
    agent: Path
    wall: Path
    floor: Path

    @property
    def colors(self) -> set[str]:
        """The colors that are named, each a word of letters; `na` is none."""
        return {icon.color for icon in self.icons if icon.color.isascii() and icon.color.isalpha()} - {"na"}

    @cached_property
    def pictures(self) -> NDArray[np.uint8]:
        """(4 + icons, 96, 96, 3) The picture of every tile: outside, floor, and all others on the floor."""
        outside = np.zeros((ICON_PIXELS, ICON_PIXELS, 3), np.uint8)
        floor = lay_on(np.full_like(outside, 255), read_texture(self.floor))
        things = (read_icon(path) for path in (self.agent, *(icon.path for icon in self.icons)))
        on_floor = (lay_on(floor, picture) for picture in (read_texture(self.wall), *things))
        pictures = np.stack([outside, floor, *on_floor])
        pictures.flags.writeable = False  # all who load the pack share them
        _warn(self.icons[0].path.parents[2], {"look the same at 12 pixels": list(self._twins(pictures))})
        return pictures

    def _twins(self, pictures: NDArray[np.uint8]) -> Iterator[str]:
        """The icons with different words that look the same."""
        for pair in find_twins(shrink(pictures[FIRST_OBJECT:], CELL_PIXELS)):
            one, other = (self.icons[place] for place in pair)
            if (one.name, one.color) != (other.name, other.color):
                yield f"{one.path.name} and {other.path.name}"


def load_pack(folder: str | Path | None = None) -> Pack:
    """Read a pack; without a folder, the built-in one."""
    root = BUILT_IN if folder is None else _check_folder(folder)
    colors, stray = _read_properties(root)
    pictures = _pictures(root / "goal")
    odd = [path for path in pictures if _NAME.fullmatch(path.stem.lower()) is None]
    _warn(root, {
        "left out, not named <class>_<k> with a class of letters": [path.name for path in odd],
        "in properties.txt, but not there": stray,
    })  # fmt: skip
    icons = sorted(_icon(path, root, colors) for path in pictures if path not in odd)
    if not icons:
        raise PackError(f"{root / 'goal'} holds no pictures; expected goal/<category>/<class>_<k>.png or .jpg")
    for one, other in pairwise(icons):
        if (one.name, one.number) == (other.name, other.number):
            raise PackError(f"{one.path} and {other.path} are both {one.name}_{one.number}; renumber one of them")
    return Pack(tuple(icons), *(_first_picture(root, kind) for kind in ("agent", "block", "floor")))


def _check_folder(folder: object) -> Path:
    if not isinstance(folder, str | Path):
        raise PackError(f"pack={show(folder)}: expected the path of a folder")
    if not os.path.isdir(folder):  # unlike Path.is_dir, it takes names that no folder can have
        raise PackError(f"pack={show(str(folder))}: expected a folder with an icon pack; there is no such folder")
    return Path(folder)


def _warn(root: Path, faults: dict[str, Sequence[str]]) -> None:
    """Log all faults of a pack in one line, however often it is read."""
    lines = [
        f"{fault}: {', '.join(items[:_MOST_NAMED])}"
        + f" and {len(items) - _MOST_NAMED} more" * (len(items) > _MOST_NAMED)
        for fault, items in faults.items()
        if items
    ]
    if lines:
        _log_once(f"{root}: {'; '.join(lines)}")


@cache
def _log_once(line: str) -> None:
    _log.warning("%s", line)


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _PICTURES)


def _icon(path: Path, root: Path, colors: dict[str, str]) -> Icon:
    match = _NAME.fullmatch(path.stem.lower())
    assert match is not None
    if len(path.relative_to(root).parts) != 3:
        raise PackError(f"{path}: pictures of objects lie in goal/<category>/, one folder deep")
    return Icon(match["name"], int(match["number"]), colors.get(path.relative_to(root).as_posix(), ""), path)


def _read_properties(root: Path) -> tuple[dict[str, str], list[str]]:
    """The color of each path, and the paths without a file."""
    file, stray = root / "properties.txt", list[str]()
    colors: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(_read_text(file).splitlines(), start=1):
        fields = line.split("//")[0].replace(",", " ").rsplit(maxsplit=1)
        if not fields:
            continue
        path = fields[0].strip().removeprefix("./")
        missing = not (root / path).is_file()
        if len(fields) != 2 or (missing and " " in path):
            raise PackError(f"{file}, line {number}: expected '<path> <color>', found {line.strip()!r}")
        if path in colors:
            raise PackError(f"{file}, line {number}: {path} already has a color, given in line {lines[path]}")
        if missing:
            stray.append(path)
        colors[path], lines[path] = fields[1].lower(), number
    return colors, stray


def _read_text(file: Path) -> str:
    if not file.is_file():
        raise PackError(f"{file} is missing; it lists the color of each picture, a line each: <path> <color>")
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackError(f"{file} is not text in UTF-8: {error}") from error


def _first_picture(root: Path, kind: str) -> Path:
    """The pack's first picture of the agent, wall or floor; without one, the built-in picture."""
    return (_pictures(root / kind) or _pictures(BUILT_IN / kind))[0]
