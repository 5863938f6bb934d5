"""The state of a world: one record of a structured array, so that thousands lie side by side in memory."""

import numpy as np

from xworld.world.cells import SIDE

OUTSIDE, FLOOR, WALL, AGENT = range(4)
"""The tiles that are not objects. Tile ids from `FIRST_OBJECT` on are the instances of the catalogue, in order."""
FIRST_OBJECT = 4

MAX_OBJECTS = 8
"""The maximum number of objects on a map."""

WORLD = np.dtype(
    [
        ("random", np.uint64),
        ("size", np.int64),
        ("time", np.int64),
        ("time_limit", np.int64),
        ("grid", np.int16, (SIDE, SIDE)),  # tile ids, without the agent
        ("agent_row", np.int64),
        ("agent_column", np.int64),
        ("target_row", np.int64),
        ("target_column", np.int64),
        ("reached", np.bool_),
        ("objects", np.int64),  # their number; each has an entry in the fields below
        ("object_row", np.int64, (MAX_OBJECTS,)),
        ("object_column", np.int64, (MAX_OBJECTS,)),
        ("object_class", np.int64, (MAX_OBJECTS,)),
        ("object_color", np.int64, (MAX_OBJECTS,)),  # -1 without a word
    ],
    align=True,
)
