"""Colors in a terminal: how many it shows, and pictures made of half blocks.

A half block fills the upper half of a character's cell with the one color and leaves the lower half to the
other, so that a character is two pixels, about square.
"""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from xworld.play.palette import nearest_numbers

HALF_BLOCK = "▀"
RESET = "\x1b[0m"


class Depth(Enum):
    """How a terminal is drawn on."""

    LETTERS = "no colors, letters only"
    INDEXED = "256 colors"
    FULL = "24 bits a color"


class Style(Enum):
    """The kinds of text, each with its code. The terminal's own colors, so that they suit its background."""

    PLAIN = ""
    COMMAND = "1"
    QUESTION = "1;36"
    GOOD = "1;32"
    BAD = "1;31"
    QUIET = "2"


def depth_of(environment: Mapping[str, str], encoding: str) -> Depth:
    """What a terminal shows, by the customs for saying so.

    >>> depth_of({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "utf-8")
    <Depth.FULL: '24 bits a color'>
    >>> depth_of({"TERM": "xterm-256color", "NO_COLOR": "1"}, "utf-8")
    <Depth.LETTERS: 'no colors, letters only'>
    """
    if environment.get("NO_COLOR") or is_dumb(environment) or not _writes_half_blocks(encoding):
        return Depth.LETTERS
    return Depth.FULL if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit") else Depth.INDEXED


def is_dumb(environment: Mapping[str, str]) -> bool:
    """Whether a terminal only writes line after line, and cannot put the cursor anywhere."""
    return environment.get("TERM", "") in ("", "dumb", "unknown")


def half_blocks(pixels: NDArray[np.uint8], depth: Depth) -> list[str]:
    """A picture, (2 n, columns, 3), as n lines of text."""
    numbers = _full_numbers(pixels) if depth is Depth.FULL else nearest_numbers(pixels)
    rows = numbers.tolist()
    return [_line(upper, lower, depth) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def styled(text: str, style: Style, depth: Depth) -> str:
    """A text in its style; without colors it stays as it is."""
    return text if depth is Depth.LETTERS or style is Style.PLAIN else f"\x1b[{style.value}m{text}{RESET}"


def _line(upper: list[int], lower: list[int], depth: Depth) -> str:
    """Colors are named where they change only."""
    parts, before = [], (-1, -1)
    for pair in zip(upper, lower, strict=True):
        if pair != before:
            parts.append(f"\x1b[38;{_code(pair[0], depth)};48;{_code(pair[1], depth)}m")
            before = pair
        parts.append(HALF_BLOCK)
    return "".join(parts) + RESET


@lru_cache(maxsize=4096)
def _code(number: int, depth: Depth) -> str:
    if depth is Depth.INDEXED:
        return f"5;{number}"
    return f"2;{number >> 16};{number >> 8 & 255};{number & 255}"


def _full_numbers(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    channels = pixels.astype(np.int64)
    return channels[..., 0] << 16 | channels[..., 1] << 8 | channels[..., 2]


def _writes_half_blocks(encoding: str) -> bool:
    try:
        HALF_BLOCK.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
