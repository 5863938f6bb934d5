"""One frame of a film: a title, the map with attention over it, and the sentence beneath."""

from collections.abc import Sequence
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
        self._light, self._bold = _font("DejaVuSans.ttf", self._letters), _font("DejaVuSans-Bold.ttf", self._letters)
        # The mask leaves out the floor around the agent, which also walks over other things.
        differs = (self._atlas[AGENT] != self._atlas[FLOOR]).any(axis=2)
        self._sprite, self._mask = Image.fromarray(self._atlas[AGENT]), Image.fromarray(differs)

    def begin(self, title: str, activity: str, color: str) -> None:
        """A new frame, with a title on the left and the current activity on the right."""
        self._sheet = Image.new("RGB", (self._width, self._height), PAPER)
        self._pen = ImageDraw.Draw(self._sheet)
        self._cursor = self._margin // 2, self._top + SIDE * self._cell + self._margin
        left, middle = self._margin // 2, self._top // 2
        self._pen.text((left, middle), title, fill=INK, font=self._bold, anchor="lm")
        self._pen.text((self._width - left, middle), activity, fill=color, font=self._light, anchor="rm")

    def draw_scene(
        self, grid: NDArray[np.int16], agent: tuple[float, float], attention: Map | None = None, color: str = INK
    ) -> None:
        """The map, attention over it, (7, 7), as a veil of a color, and the agent, which may be between two cells."""
        self._sheet.paste(Image.fromarray(lay_tiles(self._atlas, grid)), self.corner(0, 0))
        if attention is not None:
            objects = np.where(grid >= FIRST_OBJECT, grid, FLOOR)  # walls are covered like floor
            drawn = (lay_tiles(self._atlas, objects) != lay_tiles(self._atlas, np.full_like(grid, FLOOR))).any(axis=2)
            veil = np.kron(veil_of(attention), np.ones((self._cell, self._cell)))
            veil[drawn] *= 0.35  # so that objects stay visible
            mask = Image.fromarray(np.rint(255 * veil).astype(np.uint8))
            self._sheet.paste(ImageColor.getrgb(color), self.corner(0, 0), mask)
        self._sheet.paste(self._sprite, self.corner(*agent), self._mask)

    def mark(self, cell: Cell, color: str) -> None:
        """A square around a cell."""
        left, top = self.corner(*cell)
        box = left, top, left + self._cell - 1, top + self._cell - 1
        self._pen.rectangle(box, outline=color, width=max(2, self._cell // 12))

    def say(self, words: Sequence[str], attention: Map | None, color: str) -> None:
        """A sentence, its words shaded by attention."""
        room, (left, top) = self._letters // 4, self._cursor
        begin = left
        for number, word in enumerate(words):
            text = word.capitalize() if number == 0 else word
            wide = round(self._light.getlength(text)) + 2 * room
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
        self._pen.text((left + 2, top + self._line // 2), text, fill=color, font=self._light, anchor="lm")

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
        self._pen.text(middle, text, fill=INK, font=self._light, anchor="mm")


def _shade(color: str, share: float) -> tuple[int, ...]:
    """The color of paper under some attention."""
    veil = float(veil_of(np.array(share, np.float32)))
    pairs = zip(ImageColor.getrgb(PAPER), ImageColor.getrgb(color), strict=True)
    return tuple(round((1 - veil) * bare + veil * full) for bare, full in pairs)


def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A font that comes with Matplotlib, so films are the same everywhere."""
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name, size)
