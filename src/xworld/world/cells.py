"""The geometry of the grid: sizes, directions, and sets of cells as bits of an integer."""

import numpy as np

from xworld.world.kernel import kernel

SIDE = 7
"""Rows and columns of the map. Smaller maps are padded with walls to this size."""
SMALLEST_MAP = 3
VIEW = 2 * SIDE - 1
"""Rows and columns of the view. The agent is in its center, so every cell of the map is in view."""
CELLS = SIDE * SIDE

DIRECTIONS = ("east", "west", "north", "south", "northeast", "northwest", "southeast", "southwest")
"""The eight directions. North is up, towards row 0."""
ROW_STEP = np.array([0, 0, -1, 1, -1, -1, 1, 1])
COLUMN_STEP = np.array([1, -1, 0, 0, 1, -1, 1, -1])

# (3, 3) The direction of each neighbor, by its row and column step plus one; -1 for the cell itself.
_DIRECTION_OF = np.array([[5, 2, 4], [1, -1, 0], [7, 3, 6]])

ACTIONS = ("up", "down", "left", "right")
ACTION_ROW = np.array([-1, 1, 0, 0])
ACTION_COLUMN = np.array([0, 0, -1, 1])

CellSet = np.uint64
"""A set of cells. A row takes eight bits, one more than it has cells, so that a shift by one never carries a cell from
the end of a row to the start of the next."""
_ROW_BITS = np.uint64(8)
_ONE = np.uint64(1)
EMPTY = np.uint64(0)
WHOLE_MAP = np.uint64(sum(1 << (8 * row + column) for row in range(SIDE) for column in range(SIDE)))


@kernel
def inside(row: int, column: int) -> bool:
    """Whether a cell lies on the map."""
    return 0 <= row < SIDE and 0 <= column < SIDE


@kernel
def cell_bit(row: int, column: int) -> CellSet:
    """The set of one cell."""
    return _ONE << np.uint64(8 * row + column)


@kernel
def holds(cells: CellSet, row: int, column: int) -> bool:
    """Whether a set contains a cell."""
    return (cells >> np.uint64(8 * row + column)) & _ONE != EMPTY


@kernel
def grow(cells: CellSet) -> CellSet:
    """A set of cells together with their four-neighbors on the map."""
    sideways = cells | (cells << _ONE) | (cells >> _ONE)
    return (sideways | (cells << _ROW_BITS) | (cells >> _ROW_BITS)) & WHOLE_MAP


@kernel
def direction_between(row: int, column: int, other_row: int, other_column: int) -> int:
    """The direction from the first cell to the other, if they are neighbors; otherwise -1."""
    down, right = other_row - row, other_column - column
    return _DIRECTION_OF[down + 1, right + 1] if abs(down) <= 1 and abs(right) <= 1 else -1
