"""Icon packs: a folder of pictures and a list of their colors. The built-in drawings are one; so is yours.

    my_pack/
      goal/<category>/<class>_<k>.png     one picture for each instance; .jpg and .jpeg do as well
      agent/<any>.png   block/<any>.png   floor/<any>.png (these three are optional)
      properties.txt                      lines of `<path> <color>`; `//` starts a comment

A color other than red, green, blue and yellow, or none at all, is one that no word names.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

BUILT_IN = Path(__file__).parent / "sprites"
ICON_PIXELS = 96
"""Icons are kept at this size. It is a multiple of the 12 pixels of a cell, so shrinking averages whole blocks."""

_PICTURES = (".png", ".jpg", ".jpeg")
_NAME = re.compile(r"(?P<name>[a-z][a-z_-]*)_(?P<number>[0-9]+)")


class PackError(ValueError):
    """A pack that cannot be used; the message names the file, and the line where there is one."""


@dataclass(frozen=True)
class Icon:
    """One instance: the word for its class, its color as written in the pack, and its picture file."""

    name: str
    number: int
    color: str
    path: Path


@dataclass(frozen=True)
class Pack:
    """The icons of a folder, by class and number, and the pictures of agent, wall and floor."""

    icons: tuple[Icon, ...]
    agent: Path
    wall: Path
    floor: Path


def load_pack(folder: str | Path | None = None) -> Pack:
    """Read a pack; without a folder, the built-in one.

    >>> len(load_pack().icons)
    114
    """
    root = Path(folder) if folder is not None else BUILT_IN
    if not root.is_dir():
        raise PackError(f"no icon pack at {root}: there is no such folder")
    colors = _read_properties(root)
    icons = [_icon(path, root, colors) for path in _pictures(root / "goal")]
    if not icons:
        raise PackError(f"{root / 'goal'} holds no pictures; expected goal/<category>/<class>_<k>.png or .jpg")
    _refuse_doubles(icons)
    _refuse_strays(colors, root)
    return Pack(
        icons=tuple(sorted(icons, key=lambda icon: (icon.name, icon.number))),
        agent=_only(root, "agent"),
        wall=_only(root, "block"),
        floor=_only(root, "floor"),
    )


def read_picture(path: Path, background: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
    """A picture as (96, 96, 3) colors; what is transparent shows the background.

    >>> read_picture(load_pack().icons[0].path).shape
    (96, 96, 3)
    """
    try:
        with Image.open(path) as file:
            picture = file.convert("RGBA").resize((ICON_PIXELS, ICON_PIXELS), Image.Resampling.LANCZOS)
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise PackError(f"{path} is not a picture that can be read: {error}") from error
    return lay_on(np.full((ICON_PIXELS, ICON_PIXELS, 3), 255, np.uint8) if background is None else background, picture)


def lay_on(background: NDArray[np.uint8], picture: Image.Image) -> NDArray[np.uint8]:
    """(96, 96, 3) A picture with transparent parts, in which the background shows."""
    behind = Image.fromarray(background).convert("RGBA")
    return np.asarray(Image.alpha_composite(behind, picture).convert("RGB"))


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _PICTURES)


def _icon(path: Path, root: Path, colors: dict[str, tuple[int, str]]) -> Icon:
    match = _NAME.fullmatch(path.stem.lower())
    if match is None:
        raise PackError(f"{path}: a picture of an object is named <class>_<k>, as in apple_1{path.suffix}")
    if len(path.relative_to(root).parts) != 3:
        raise PackError(f"{path}: pictures of objects lie in goal/<category>/, one folder deep")
    _, color = colors.get(path.relative_to(root).as_posix(), (0, ""))
    return Icon(match["name"], int(match["number"]), color, path)


def _read_properties(root: Path) -> dict[str, tuple[int, str]]:
    """The color of each path, with the line that gives it."""
    file = root / "properties.txt"
    if not file.is_file():
        raise PackError(f"{file} is missing; it lists the color of each picture, a line each: <path> <color>")
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise PackError(f"{file} is not text in UTF-8: {error}") from error
    colors: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, start=1):
        fields = line.split("//")[0].split()
        if not fields:
            continue
        if len(fields) != 2:
            raise PackError(f"{file}, line {number}: expected '<path> <color>', found {line.strip()!r}")
        path = fields[0].removeprefix("./")
        if path in colors:
            raise PackError(f"{file}, line {number}: {path} already has a color, given in line {colors[path][0]}")
        colors[path] = (number, fields[1].lower())
    return colors


def _refuse_strays(colors: dict[str, tuple[int, str]], root: Path) -> None:
    for path, (number, _) in colors.items():
        if not (root / path).is_file():
            raise PackError(f"{root / 'properties.txt'}, line {number}: there is no file {path} in the pack")


def _refuse_doubles(icons: list[Icon]) -> None:
    seen: dict[tuple[str, int], Path] = {}
    for icon in icons:
        first = seen.setdefault((icon.name, icon.number), icon.path)
        if first is not icon.path:
            raise PackError(f"{icon.path} and {first} are both {icon.name}_{icon.number}; give one another number")


def _only(root: Path, kind: str) -> Path:
    """The picture of the agent, wall or floor: the pack's first, or else the built-in one."""
    return next(iter(_pictures(root / kind) or _pictures(BUILT_IN / kind)))
