"""What a world is made of: one record of a structured array, so that thousands lie side by side in memory."""

import numpy as np
from numpy.typing import NDArray

from xworld.world.cells import SIDE

OUTSIDE, FLOOR, WALL, AGENT = range(4)
"""The tiles that are no objects. Tile ids from `FIRST_OBJECT` on are the instances of the catalogue, in order."""
FIRST_OBJECT = 4

MAX_OBJECTS = 8
"""The most objects that a map can hold."""

WORLD = np.dtype(
    [
        ("random", np.uint64),
        ("size", np.int64),
        ("time", np.int64),
        ("time_limit", np.int64),
        # Tile ids of walls, floor and objects; the agent is not drawn in.
        ("grid", np.int16, (SIDE, SIDE)),
        ("agent_row", np.int64),
        ("agent_column", np.int64),
        ("target_row", np.int64),
        ("target_column", np.int64),
        ("reached", np.bool_),
        # How many objects there are; the four fields below hold one entry for each.
        ("objects", np.int64),
        ("object_row", np.int64, (MAX_OBJECTS,)),
        ("object_column", np.int64, (MAX_OBJECTS,)),
        ("object_class", np.int64, (MAX_OBJECTS,)),
        # An index into the colors with a word, or -1.
        ("object_color", np.int64, (MAX_OBJECTS,)),
    ],
    align=True,
)


def new_worlds(count: int) -> NDArray[np.void]:
    """Room for `count` worlds, not yet laid out.

    >>> new_worlds(3)["grid"].shape
    (3, 7, 7)
    """
    return np.zeros(count, WORLD)
