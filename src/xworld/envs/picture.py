"""A world for people to look at: the map from above as a picture with the teacher's words, or as plain text."""

import textwrap
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from xworld.envs.observation import session_words
from xworld.teacher.simulator import Simulator
from xworld.world.cells import SIDE
from xworld.world.state import AGENT, FIRST_OBJECT, FLOOR, WALL

CELL = 64
"""The side of a cell in the picture."""
_CAPTION_LINES, _LINE_HEIGHT, _MARGIN, _LETTERS, _LETTER_HEIGHT = 4, 22, 10, 56, 15


class Painter:
    """Draws worlds of a simulator."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        pictures = simulator.grammar.catalogue.icons
        self._icons = np.stack([np.asarray(Image.fromarray(icon).resize((CELL, CELL))) for icon in pictures])

    def draw(self, world: int = 0) -> NDArray[np.uint8]:
        """The map, 448 pixels wide, with the command and the question beneath."""
        rows = [np.concatenate(list(self._icons[row]), axis=1) for row in tiles_with_agent(self._simulator, world)]
        return np.concatenate([*rows, self._caption(world)])

    def _caption(self, world: int) -> NDArray[np.uint8]:
        words = session_words(self._simulator, world)
        lines = textwrap.wrap(words["command"], _LETTERS)
        if words["question"]:
            lines += textwrap.wrap(f"{words['question']} ({words['answer']})", _LETTERS)
        band = Image.new("RGB", (SIDE * CELL, _CAPTION_LINES * _LINE_HEIGHT + 2 * _MARGIN), "white")
        pen = ImageDraw.Draw(band)
        for number, line in enumerate(lines[:_CAPTION_LINES]):
            pen.text((_MARGIN, _MARGIN + number * _LINE_HEIGHT), line, fill="black", font=_font())
        return np.asarray(band)


@cache
def _font() -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    """The font of captions, loaded once. No painter holds it: a font can be neither copied nor pickled."""
    return ImageFont.load_default(_LETTER_HEIGHT)


def tiles_with_agent(simulator: Simulator, world: int = 0) -> NDArray[np.int16]:
    """(7, 7) The tiles of the map, the agent drawn in."""
    here = simulator.worlds[world]
    tiles = np.array(here["grid"])
    tiles[here["agent_row"], here["agent_column"]] = AGENT
    return tiles


def write_map(simulator: Simulator, world: int = 0) -> str:
    """A world as text: the map, a legend, the command, and the question with its answer."""
    words = session_words(simulator, world)
    asked = [f"{words['question']} ({words['answer']})"] if words["question"] else []
    lines, legend = map_lines(simulator, world)
    return "\n".join([*lines, "   ".join(legend), words["command"], *asked])


def map_lines(simulator: Simulator, world: int = 0) -> tuple[list[str], list[str]]:
    """The rows of the map, `@@` the agent, `##` a wall and two letters an object; and what the letters stand for."""
    tiles = tiles_with_agent(simulator, world)
    catalogue = simulator.grammar.catalogue
    signs = {FLOOR: " .", WALL: "##", AGENT: "@@"}
    legend = []
    for tile in sorted({int(tile) for tile in tiles.flat if tile >= FIRST_OBJECT}):
        name = catalogue.classes[catalogue.instance_class[tile - FIRST_OBJECT]]
        signs[tile] = _free_sign(name, set(signs.values()))
        legend.append(f"{signs[tile]} {catalogue.describe_tile(tile)}")
    return [" ".join(signs[int(tile)] for tile in row) for row in tiles], legend


def _free_sign(name: str, taken: set[str]) -> str:
    """Two letters for a name that no other has: its first with one of the others, or with a digit."""
    ends: list[str] = [*name[1:], *"0123456789"]
    signs = (name[0].upper() + end for end in ends)
    return next(sign for sign in signs if sign not in taken)
