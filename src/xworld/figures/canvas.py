"""One frame of a film: a title, the map with attention over it, and the sentence beneath."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from xworld.agent.thought import Map
from xworld.figures.scene import lay_tiles, veil_of
from xworld.figures.session import Cell
from xworld.figures.style import INK, LINE, PAPER
from xworld.teacher.vocabulary import CLOSING_MARKS
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR

_LINES = 4
"""Lines of text: up to three for the sentence, and one for the outcome."""
_OVER_OBJECTS = 0.35
"""Attention covers objects less than the floor around them, so that they stay visible."""
_LIGHT, _BOLD = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"


class Canvas:
    """Draws one frame after another, all of one size."""

    def __init__(self, catalogue: Catalogue, cell: int) -> None:
        self._atlas, self._cell = catalogue.atlas(cell), cell
        self._letters = round(0.2 * cell) + 5
        self._margin = self._letters // 2 + 3
        self._line = round(1.75 * self._letters)
        self._top = self._line + self._margin
        self._width = SIDE * cell + 2 * (self._margin // 2)
        self._height = self._top + SIDE * cell + self._margin + _LINES * self._line + self._margin // 2
        self._sprite, self._mask = _cut_out(self._atlas)
        self._sheet = Image.new("RGB", (self._width, self._height), PAPER)

    def begin(self, title: str, activity: str, color: str) -> None:
        """A new frame, with a title on the left and the current activity on the right."""
        self._sheet = Image.new("RGB", (self._width, self._height), PAPER)
        self._pen = ImageDraw.Draw(self._sheet)
        self._cursor = self._margin // 2, self._top + SIDE * self._cell + self._margin
        bold, middle = _font(_BOLD, self._letters), self._top // 2
        self._pen.text((self._margin // 2, middle), title, fill=INK, font=bold, anchor="lm")
        right = self._width - self._margin // 2
        self._pen.text((right, middle), activity, fill=color, font=_font(_LIGHT, self._letters), anchor="rm")

    def lay(self, tiles: NDArray[np.int16]) -> None:
        """The map, without the agent."""
        picture, floor = lay_tiles(self._atlas, tiles), lay_tiles(self._atlas, np.full_like(tiles, FLOOR))
        objects = np.kron(tiles >= FIRST_OBJECT, np.ones((self._cell, self._cell), np.bool_))
        self._covered = np.where((picture != floor).any(axis=2) & objects, _OVER_OBJECTS, 1.0)
        self._sheet.paste(Image.fromarray(picture), self.corner(0, 0))

    def shade(self, attention: Map, color: str) -> None:
        """Attention over the map, (7, 7), as a veil of a color."""
        veil = np.kron(veil_of(attention), np.ones((self._cell, self._cell))) * self._covered
        mask = Image.fromarray(np.rint(255 * veil).astype(np.uint8))
        self._sheet.paste(ImageColor.getrgb(color), self.corner(0, 0), mask)

    def put_agent(self, where: NDArray[np.float64] | NDArray[np.int64]) -> None:
        """The agent at a row and a column, which may lie between two cells."""
        self._sheet.paste(self._sprite, self.corner(float(where[0]), float(where[1])), self._mask)

    def mark(self, cell: Cell, color: str) -> None:
        """A square around a cell."""
        left, top = self.corner(*cell)
        box = left, top, left + self._cell - 1, top + self._cell - 1
        self._pen.rectangle(box, outline=color, width=max(2, self._cell // 12))

    def say(self, words: Sequence[str], attention: Map | None, color: str) -> None:
        """A sentence, its words shaded by attention."""
        font, room = _font(_LIGHT, self._letters), self._letters // 4
        left, top = self._cursor
        begin = left
        for number, word in enumerate(words):
            text = word.capitalize() if number == 0 else word
            wide = round(font.getlength(text)) + 2 * room
            if word in CLOSING_MARKS:
                begin -= room  # no space before a mark
            elif begin + wide > self._width:
                begin, top = left, top + self._line
            share = 0.0 if attention is None else float(attention[number])
            self._write_word((begin, top, begin + wide, top + self._line - room), text, share, color)
            begin += wide + 1
        self._cursor = left, top + self._line

    def note(self, text: str, color: str) -> None:
        """A line about the outcome."""
        left, top = self._cursor
        font = _font(_LIGHT, self._letters)
        self._pen.text((left + 2, top + self._line // 2), text, fill=color, font=font, anchor="lm")

    def picture(self) -> Image.Image:
        """The finished frame."""
        left, top = self.corner(0, 0)
        side = SIDE * self._cell
        self._pen.rectangle((left - 1, top - 1, left + side, top + side), outline=LINE)
        return self._sheet

    def corner(self, row: float, column: float) -> tuple[int, int]:
        """The upper left corner of a cell in pixels, from the left and from the top."""
        return self._margin // 2 + round(column * self._cell), self._top + round(row * self._cell)

    def _write_word(self, box: tuple[int, int, int, int], text: str, share: float, color: str) -> None:
        if share > 0:
            self._pen.rounded_rectangle(box, radius=self._letters // 4, fill=_shade(color, share))
        middle = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
        self._pen.text(middle, text, fill=INK, font=_font(_LIGHT, self._letters), anchor="mm")


def _shade(color: str, share: float) -> tuple[int, ...]:
    """The color of paper under some attention."""
    veil = float(veil_of(np.array(share, np.float32)))
    pairs = zip(ImageColor.getrgb(PAPER), ImageColor.getrgb(color), strict=True)
    return tuple(round((1 - veil) * bare + veil * full) for bare, full in pairs)


def _cut_out(atlas: NDArray[np.uint8]) -> tuple[Image.Image, Image.Image]:
    """The agent, and a mask of the pixels that are not floor: it also walks over things other than floor."""
    differs = np.abs(atlas[AGENT].astype(int) - atlas[FLOOR]).max(axis=2) > 0
    return Image.fromarray(atlas[AGENT]), Image.fromarray(np.where(differs, 255, 0).astype(np.uint8))


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font that comes with Matplotlib, so films are the same everywhere."""
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name, size)
