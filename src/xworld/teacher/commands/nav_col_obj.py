"""nav_col_obj: go to the one object of this colour and name among others that share either."""

import numpy as np

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer_way
from xworld.teacher.conditions import has_look_alike
from xworld.teacher.subtask import Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask("nav_col_obj", "C0 & C2", frames.COMMANDS, ("{colour} {object}",), objects_needed=2)


@kernel
def propose(world: Record, choice: Record, speech: Speech, reach: np.uint64) -> None:
    """The target is the object itself."""
    for index in range(world.objects):
        if has_look_alike(world, index):
            row, column = world.object_row[index], world.object_column[index]
            colour, name = world.object_colour[index], world.object_class[index]
            offer_way(world, choice, speech, reach, row, column, ABSENT, colour, name, ABSENT)
