"""The agent's view: the 13 x 13 tiles around it, and those tiles as pixels."""

import numpy as np
from numpy.typing import NDArray

from xworld.world.cells import SIDE, VIEW
from xworld.world.kernel import Record, entry, kernel
from xworld.world.state import AGENT, OUTSIDE

CELL_PIXELS = 12
VIEW_PIXELS = VIEW * CELL_PIXELS
_CENTER = VIEW // 2
_WORDS = CELL_PIXELS * 3 // 4


@kernel
def see(world: Record, tiles: NDArray[np.int16]) -> None:
    """Write the egocentric view of a world into `tiles`, (13, 13), with the agent in the center."""
    top, left = _CENTER - world.agent_row, _CENTER - world.agent_column
    tiles[:] = OUTSIDE
    for row in range(SIDE):
        for column in range(SIDE):
            tiles[top + row, left + column] = world.grid[row, column]
    tiles[_CENTER, _CENTER] = AGENT


@entry
def paint(tiles: NDArray[np.int16], atlas: NDArray[np.uint32], pixels: NDArray[np.uint32]) -> None:
    """Draw views as pixels, four bytes at a time: a line of a tile is 12 x 3 bytes, nine words.

    Shapes: tiles (worlds, 13, 13), atlas (tiles, 12, 9), pixels (worlds, 13, 12, 13, 9).
    """
    for world in range(tiles.shape[0]):
        for row in range(VIEW):
            for line in range(CELL_PIXELS):
                for column in range(VIEW):
                    tile = tiles[world, row, column]
                    for word in range(_WORDS):
                        pixels[world, row, line, column, word] = atlas[tile, line, word]
