"""Pictures in a terminal: how many colors it shows, and two pixels per character as half blocks.

A half block paints the upper half of a character cell in the text color and leaves the lower half to the
background color, so each of the two pixels is about square.
"""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.palette import Palette
from rich.style import Style
from rich.text import Text

HALF_BLOCK = "▀"

_PALETTE_START = 16
"""The first 16 of the 256 colors differ between terminals. A cube of colors and the grays follow."""
_CUBE_LEVELS = (0, 95, 135, 175, 215, 255)
_GRAYS = [(level, level, level) for level in range(8, 248, 10)]
_PALETTE = Palette([*product(_CUBE_LEVELS, _CUBE_LEVELS, _CUBE_LEVELS), *_GRAYS])
_SATURATION = 1.5
"""Boost before the palette lookup, without which red becomes orange: the cube has few pale colors."""

RGB = tuple[int, int, int]


class ColorDepth(Enum):
    """How many colors a terminal shows, by rich's name. Without colors, the map is drawn in letters."""

    NONE = None
    INDEXED = "256"
    TRUE = "truecolor"


def color_depth(environment: Mapping[str, str], encoding: str) -> ColorDepth:
    """What a terminal can show, by its environment variables and its encoding."""
    if environment.get("NO_COLOR") or is_dumb(environment) or not HALF_BLOCK.encode(encoding, "ignore"):
        return ColorDepth.NONE
    truecolor = environment.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    return ColorDepth.TRUE if truecolor else ColorDepth.INDEXED


def is_dumb(environment: Mapping[str, str]) -> bool:
    """Whether a terminal can only write line by line, without moving the cursor."""
    return environment.get("TERM", "") in ("", "dumb", "unknown")


def half_blocks(pixels: NDArray[np.uint8], depth: ColorDepth) -> list[Text]:
    """A picture, (2 n, columns, 3), as n lines of text."""
    rows = [[tuple(color) for color in row] for row in pixels.tolist()]
    return [_line(upper, lower, depth) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def palette_index(color: RGB) -> int:
    """The index of the closest of 256 colors."""
    gray = sum(color) / 3
    red, green, blue = (min(max(round(gray + _SATURATION * (level - gray)), 0), 255) for level in color)
    return _PALETTE_START + _PALETTE.match((red, green, blue))


def _line(upper: list[RGB], lower: list[RGB], depth: ColorDepth) -> Text:
    line = Text()
    for colors, run in groupby(zip(upper, lower, strict=True)):
        line.append(HALF_BLOCK * len(list(run)), _style(*colors, depth))
    return line


@lru_cache(maxsize=8192)
def _style(upper: RGB, lower: RGB, depth: ColorDepth) -> Style:
    return Style(color=_color(upper, depth), bgcolor=_color(lower, depth))


@lru_cache(maxsize=8192)
def _color(color: RGB, depth: ColorDepth) -> Color:
    return Color.from_rgb(*color) if depth is ColorDepth.TRUE else Color.from_ansi(palette_index(color))
