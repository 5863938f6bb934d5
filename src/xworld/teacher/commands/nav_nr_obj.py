"""nav_nr_obj: go to an empty cell on one of the eight sides of an object."""

import numpy as np

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_way
from xworld.teacher.conditions import has_unique_name, is_empty
from xworld.teacher.subtask import Subtask
from xworld.world.cells import COLUMN_STEP, ROW_STEP
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "nav_nr_obj",
    "C0 & C1",
    templates.COMMANDS,
    templates.SIDES_OF_AN_OBJECT,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext, reach: np.uint64) -> None:
    """The target is the neighboring cell."""
    for index in range(world.objects):
        if has_unique_name(world, index):
            for direction in range(len(ROW_STEP)):
                row = world.object_row[index] + ROW_STEP[direction]
                column = world.object_column[index] + COLUMN_STEP[direction]
                if is_empty(world, row, column):
                    name = world.object_class[index]
                    offer_way(world, choice, speech, reach, row, column, direction, ABSENT, name, ABSENT)
