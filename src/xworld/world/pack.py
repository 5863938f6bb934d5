"""Icon packs: folders of pictures with a list of their colors. The built-in drawings are one; add your own.

    my_pack/
      goal/<category>/<class>_<k>.png     one picture for each instance; also .jpg, .jpeg
      agent/<any>.png   block/<any>.png   floor/<any>.png (these three are optional)
      properties.txt                      lines of `<path> <color>`; `//` starts a comment

Red, green, blue and yellow have words; a picture may have any other color, or none.
"""

import os
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from xworld.world.checks import show

BUILT_IN = Path(__file__).parent / "sprites"
ICON_PIXELS = 96
"""The size of icons: a multiple of the 12 pixels of a cell, so that shrinking averages whole blocks."""

_PICTURES = (".png", ".jpg", ".jpeg")
_NAME = re.compile(r"(?P<name>[a-z][a-z_-]*)_(?P<number>[0-9]+)")


class PackError(ValueError):
    """An invalid pack; the message names the file and the line."""


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

    @cached_property
    def pictures(self) -> NDArray[np.uint8]:
        """(4 + icons, 96, 96, 3) The picture of every tile: outside, floor, and all others on the floor."""
        outside = np.zeros((ICON_PIXELS, ICON_PIXELS, 3), np.uint8)
        floor = lay_on(np.full_like(outside, 255), _read_picture(self.floor))
        paths = (self.wall, self.agent, *(icon.path for icon in self.icons))
        pictures = np.stack([outside, floor, *(lay_on(floor, _read_picture(path)) for path in paths)])
        pictures.flags.writeable = False  # all who load the pack share them
        return pictures


def load_pack(folder: str | Path | None = None) -> Pack:
    """Read a pack; without a folder, the built-in one."""
    if not isinstance(folder, str | Path | None):
        raise PackError(f"pack={show(folder)}: expected the path of a folder")
    root = BUILT_IN if folder is None else Path(folder)
    if not os.path.isdir(root):  # unlike Path.is_dir, it takes names that no folder can have
        raise PackError(f"pack={show(str(root))}: expected a folder with an icon pack; there is no such folder")
    colors = _read_properties(root)
    icons = sorted(_icon(path, root, colors) for path in _pictures(root / "goal"))
    if not icons:
        raise PackError(f"{root / 'goal'} holds no pictures; expected goal/<category>/<class>_<k>.png or .jpg")
    for one, other in pairwise(icons):
        if (one.name, one.number) == (other.name, other.number):
            raise PackError(f"{one.path} and {other.path} are both {one.name}_{one.number}; renumber one of them")
    return Pack(tuple(icons), *(_first_picture(root, kind) for kind in ("agent", "block", "floor")))


def lay_on(background: NDArray[np.uint8], picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(96, 96, 3) A picture, (96, 96, 4), over a background, which shows through transparent parts."""
    behind = Image.fromarray(background).convert("RGBA")
    return np.asarray(Image.alpha_composite(behind, Image.fromarray(picture)).convert("RGB"))


def _read_picture(path: Path) -> NDArray[np.uint8]:
    try:
        with Image.open(path) as file:
            return np.asarray(file.convert("RGBA").resize((ICON_PIXELS, ICON_PIXELS), Image.Resampling.LANCZOS))
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise PackError(f"{path} is not a picture that can be read: {error}") from error


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _PICTURES)


def _icon(path: Path, root: Path, colors: dict[str, str]) -> Icon:
    match = _NAME.fullmatch(path.stem.lower())
    if match is None:
        raise PackError(f"{path}: a picture of an object is named <class>_<k>, as in apple_1{path.suffix}")
    if len(path.relative_to(root).parts) != 3:
        raise PackError(f"{path}: pictures of objects lie in goal/<category>/, one folder deep")
    return Icon(match["name"], int(match["number"]), colors.get(path.relative_to(root).as_posix(), ""), path)


def _read_properties(root: Path) -> dict[str, str]:
    """The color of each path."""
    file = root / "properties.txt"
    if not file.is_file():
        raise PackError(f"{file} is missing; it lists the color of each picture, a line each: <path> <color>")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PackError(f"{file} is not text in UTF-8: {error}") from error
    colors: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split("//")[0].split()
        if not fields:
            continue
        if len(fields) != 2:
            raise PackError(f"{file}, line {number}: expected '<path> <color>', found {line.strip()!r}")
        path = fields[0].removeprefix("./")
        if path in colors:
            raise PackError(f"{file}, line {number}: {path} already has a color, given in line {lines[path]}")
        if not (root / path).is_file():
            raise PackError(f"{file}, line {number}: there is no file {path} in the pack")
        colors[path], lines[path] = fields[1].lower(), number
    return colors


def _first_picture(root: Path, kind: str) -> Path:
    """The pack's first picture of the agent, wall or floor; without one, the built-in picture."""
    return (_pictures(root / kind) or _pictures(BUILT_IN / kind))[0]
