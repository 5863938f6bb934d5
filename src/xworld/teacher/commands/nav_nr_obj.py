"""nav_nr_obj: go to an empty cell on one of the eight sides of an object."""

from xworld.teacher.choice import SpeechContext, offer
from xworld.teacher.conditions import has_unique_name, is_empty, is_goal
from xworld.teacher.subtask import COMMAND_TEMPLATES, OBJECT_SIDES, Command
from xworld.world.cells import COLUMN_STEP, ROW_STEP, SIDE, CellSet
from xworld.world.kernel import Record, kernel

SUBTASK = Command(
    "nav_nr_obj",
    "C0 & C1",
    COMMAND_TEMPLATES,
    OBJECT_SIDES,
    title="go beside an object",
    why_not=(
        "that cell is not free floor, the agent is on it already, "
        "or there is no way there that does not cross another object"
    ),
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext, reach: CellSet) -> None:
    """The target is the neighboring cell."""
    for index in range(world.objects):
        if has_unique_name(world, index):
            noun = world.object_class[index]
            for direction in range(len(ROW_STEP)):
                row = world.object_row[index] + ROW_STEP[direction]
                column = world.object_column[index] + COLUMN_STEP[direction]
                if is_empty(world, row, column) and is_goal(world, row, column, reach):
                    offer(world, choice, speech, row * SIDE + column, location=direction, noun=noun)
