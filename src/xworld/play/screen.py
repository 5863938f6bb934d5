"""The whole screen as lines of text: the map in colors, and the words beside or beneath it."""

import re
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xworld.envs.rendering import map_lines
from xworld.play.color import Depth, half_blocks
from xworld.play.game import Ending, Game
from xworld.play.player import Player
from xworld.play.words import Words
from xworld.world.catalogue import Catalogue
from xworld.world.cells import SIDE
from xworld.world.state import FIRST_OBJECT, FLOOR

CELL_SIZES = (12, 8, 6, 4)
"""Pixels of a cell, the best first. A pixel is a character wide and half a character high."""
LEGEND_SIZES = (12, 8)
BESIDE, BENEATH = (34, 16), (40, 10)
"""The least columns and rows that the words need beside and beneath the map."""
GAP = 2
"""Columns between the map and the words."""

_LETTER_SIZES = ((1, 3 * SIDE - 1, SIDE),)
_COLORED_SIZES = tuple((cell, SIDE * cell, SIDE * cell // 2) for cell in CELL_SIZES)
"""The cell, and the columns and rows that the map takes with it."""
_MARK = (255, 0, 255)
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


class Layout(NamedTuple):
    """Where things go: the pixels of a cell, the room for the words, and on which side of the map it is."""

    cell: int
    columns: int
    rows: int
    beside: bool


class Screen:
    """Draws a player's game for a terminal of any size."""

    def __init__(self, catalogue: Catalogue, depth: Depth) -> None:
        self.depth = depth
        self._catalogue = catalogue
        sizes = () if depth is Depth.LETTERS else {*CELL_SIZES, *LEGEND_SIZES}
        self._atlases = {pixels: catalogue.atlas(pixels) for pixels in sizes}

    def draw(self, player: Player, columns: int, rows: int) -> list[str]:
        """The lines to show: at most `rows`, each at most `columns` wide."""
        layout = choose_layout(columns, rows, self.depth)
        if layout is None:
            return [line[:columns] for line in ("The window is too small:", "80 columns and 24 rows do.")][:rows]
        game = player.game
        picture = self._map(game, layout.cell)
        words = Words(player, self.depth, layout.columns).lines(layout.rows, self._legends(game, layout.columns))
        if layout.beside:
            return _side_by_side(picture, words)
        return [*picture, "", *words]

    def _map(self, game: Game, cell: int) -> list[str]:
        failed = game.ending in (Ending.LATE, Ending.GIVEN_UP)
        target = game.target if failed else None
        if self.depth is Depth.LETTERS:
            return _mark_letters(map_lines(game.simulator)[0], target)
        tiles = self._atlases[cell][game.tiles]  # (7, 7, cell, cell, 3)
        pixels = tiles.transpose(0, 2, 1, 3, 4).reshape(SIDE * cell, SIDE * cell, 3)
        if target is not None:
            _mark_pixels(pixels, target, cell)
        return half_blocks(pixels, self.depth)

    def _legends(self, game: Game, columns: int) -> list[list[str]]:
        """Ways to name the objects, the best first. Their order tells nothing of their places."""
        if self.depth is Depth.LETTERS:
            return [[entry[:columns] for entry in ("@@ you", *map_lines(game.simulator)[1])]]
        shelves = [self._shelf(game.objects, size, columns) for size in LEGEND_SIZES]
        return [*(shelf for shelf in shelves if shelf), self._list(game.objects, columns)]

    def _shelf(self, tiles: list[int], size: int, columns: int) -> list[str]:
        """The objects' pictures side by side, their names beneath; nothing where there is no room for them."""
        least = max(size, *(len(self._name(tile)) + 1 for tile in tiles))
        width = min(least + GAP, columns // len(tiles))
        if width < least:
            return []
        stands = [self._stand(tile, size, width) for tile in tiles]
        return ["".join(parts).rstrip() for parts in zip(*stands, strict=True)]

    def _stand(self, tile: int, size: int, width: int) -> list[str]:
        """One object's picture and name, in the middle of a column."""
        left = " " * ((width - size) // 2)
        right = " " * (width - size - len(left))
        picture = half_blocks(self._atlases[size][tile], self.depth)
        return [*(f"{left}{line}{right}" for line in picture), self._name(tile).center(width)]

    def _list(self, tiles: list[int], columns: int) -> list[str]:
        """The objects' names, each behind a patch of its color: in a line if they fit, else one a line."""
        entries = [f"{self._patch(tile)} {self._name(tile)[: columns - 3]}" for tile in tiles]
        line = "  ".join(entries)
        return [line] if visible_width(line) <= columns else entries

    def _patch(self, tile: int) -> str:
        """Two characters in an object's average color, the floor around it not counted."""
        icon, floor = self._catalogue.icons[tile], self._catalogue.icons[FLOOR]
        unlike_floor = 1e-6 + (icon != floor).any(axis=-1)
        color = np.average(icon.reshape(-1, 3), axis=0, weights=unlike_floor.ravel()).astype(np.uint8)
        return half_blocks(np.broadcast_to(color, (2, 2, 3)), self.depth)[0]

    def _name(self, tile: int) -> str:
        """The class alone: the color is for the eyes to tell."""
        return self._catalogue.classes[self._catalogue.instance_class[tile - FIRST_OBJECT]]


def choose_layout(columns: int, rows: int, depth: Depth) -> Layout | None:
    """The largest map that leaves room for the words beside or beneath it; None in too small a window.

    >>> choose_layout(80, 24, Depth.FULL)
    Layout(cell=6, columns=36, rows=24, beside=True)
    """
    sizes = _LETTER_SIZES if depth is Depth.LETTERS else _COLORED_SIZES
    for cell, wide, high in sizes:
        right, below = columns - wide - GAP, rows - high - 1
        if right >= BESIDE[0] and rows >= max(high, BESIDE[1]):
            return Layout(cell, right, rows, True)
        if columns >= max(wide, BENEATH[0]) and below >= BENEATH[1]:
            return Layout(cell, columns, below, False)
    return None


def visible_width(line: str) -> int:
    """How many columns a line takes, its colors left out."""
    return len(_ESCAPES.sub("", line))


def _side_by_side(left: list[str], right: list[str]) -> list[str]:
    width = visible_width(left[0])
    return [f"{first or ' ' * width}{' ' * GAP}{second}" for first, second in zip_longest(left, right, fillvalue="")]


def _mark_pixels(pixels: NDArray[np.uint8], target: tuple[int, int], cell: int) -> None:
    """Draw a frame around a cell."""
    top, left = target[0] * cell, target[1] * cell
    square = pixels[top : top + cell, left : left + cell]
    square[[0, -1]] = square[:, [0, -1]] = _MARK


def _mark_letters(lines: list[str], target: tuple[int, int] | None) -> list[str]:
    """Put stars where the target is."""
    if target is None:
        return lines
    row, start = target[0], 3 * target[1]
    return [f"{line[:start]}**{line[start + 2 :]}" if number == row else line for number, line in enumerate(lines)]
