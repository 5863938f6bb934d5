"""nav_obj: go to an object that is the only one of its name."""

from xworld.teacher.choice import SpeechContext, offer
from xworld.teacher.conditions import has_unique_name, is_goal
from xworld.teacher.subtask import COMMAND_TEMPLATES, Command
from xworld.world.cells import SIDE, CellSet
from xworld.world.kernel import Record, kernel

SUBTASK = Command(
    "nav_obj",
    "C0 & C1",
    COMMAND_TEMPLATES,
    ("{object}",),
    title="go to an object",
    why_not="there is no way there that does not cross another object, or the agent is there already",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext, reach: CellSet) -> None:
    """The target is the object itself."""
    for index in range(world.objects):
        row, column = world.object_row[index], world.object_column[index]
        if has_unique_name(world, index) and is_goal(world, row, column, reach):
            offer(world, choice, speech, row * SIDE + column, noun=world.object_class[index])
