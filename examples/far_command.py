"""nav_far_obj: go far away from an object, to the free cell that is farthest from it."""

import numpy as np

from xworld.teacher.choice import SpeechContext, offer
from xworld.teacher.conditions import has_unique_name, is_goal
from xworld.teacher.subtask import Command
from xworld.world.cells import CELLS, SIDE, holds
from xworld.world.kernel import Record, kernel
from xworld.world.state import FLOOR

SUBTASK = Command(
    "nav_far_obj",
    "one free cell is farther from it than all others",
    ("go {referent} .", "move {referent} .", "please go {referent} .", "can you go {referent} ?"),
    ("far away from the {object}",),
    title="go far away from an object",
    why_not="no free cell is farther from it than all others, or the agent is there already",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext, reach: np.uint64) -> None:
    """The target is that cell, unless the agent is there already."""
    for index in range(world.objects):
        cell = _farthest(world, world.object_row[index], world.object_column[index], reach)
        if cell >= 0 and has_unique_name(world, index) and is_goal(world, cell // SIDE, cell % SIDE, reach):
            offer(world, choice, speech, cell, noun=world.object_class[index])


@kernel
def _farthest(world: Record, row: int, column: int, reach: np.uint64) -> int:
    """The one free cell within reach that is most rows and columns away; -1 if there are several."""
    farthest, most = -1, 0
    for cell in range(CELLS):
        away = abs(cell // SIDE - row) + abs(cell % SIDE - column)
        if away >= most and holds(reach, cell // SIDE, cell % SIDE) and world.grid[cell // SIDE, cell % SIDE] == FLOOR:
            farthest, most = (cell if away > most else -1), away
    return farthest
