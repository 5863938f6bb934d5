"""nav_far_obj: go far away from an object, straight across the map."""

from xworld.teacher.choice import SpeechContext, offer
from xworld.teacher.conditions import has_unique_name, is_goal
from xworld.teacher.subtask import Command
from xworld.world.cells import COLUMN_STEP, ROW_STEP, SIDE, CellSet, inside
from xworld.world.kernel import Record, kernel
from xworld.world.state import FLOOR

SUBTASK = Command(
    "nav_far_obj",
    "one free cell is straight across the map from it, and another from another object",
    ("go {referent} .", "move {referent} .", "please go {referent} .", "can you go {referent} ?"),
    ("far away from the {object}",),
    objects_needed=2,
    title="go far away from an object",
    why_not="it and another object must each have one free cell straight across the map, without the agent",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext, reach: CellSet) -> None:
    """The target is that cell. Where no other object has one, the noun would not matter, and nothing is said."""
    for index in range(world.objects):
        cell, others = _across(world, index), 0
        for other in range(world.objects):
            others += _across(world, other) not in (cell, -1)
        if cell >= 0 and others and has_unique_name(world, index) and is_goal(world, cell // SIDE, cell % SIDE, reach):
            offer(world, choice, speech, cell, noun=world.object_class[index])


@kernel
def _across(world: Record, index: int) -> int:
    """The one free cell at the opposite edge, in the row or the column of an object; -1 if there is none or two."""
    far, cells, cell = world.size - 1, 0, -1
    for way in range(4):
        row, column = world.object_row[index] + far * ROW_STEP[way], world.object_column[index] + far * COLUMN_STEP[way]
        if inside(row, column) and world.grid[row, column] == FLOOR:
            cells, cell = cells + 1, row * SIDE + column
    return cell if cells == 1 else -1
