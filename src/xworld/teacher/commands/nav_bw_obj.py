"""nav_bw_obj: go to the empty cell between two objects."""

from xworld.teacher.choice import SpeechContext, offer
from xworld.teacher.conditions import cell_between, is_empty, is_goal
from xworld.teacher.subtask import COMMAND_TEMPLATES, Command
from xworld.world.cells import SIDE, CellSet
from xworld.world.kernel import Record, kernel
from xworld.world.layout import GAPPED

SUBTASK = Command(
    "nav_bw_obj",
    "C0 & C3",
    COMMAND_TEMPLATES,
    ("grid between {object} and {second}",),
    objects_needed=2,
    title="go between two objects",
    why_not=(
        "the two must be two cells apart in a line, with free floor between them, "
        "or there is no way there that does not cross another object"
    ),
    arrangement=GAPPED,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext, reach: CellSet) -> None:
    """The target is the cell in the middle; either object may be named first."""
    for first in range(world.objects):
        for second in range(world.objects):
            row, column = cell_between(world, first, second, speech.wording.rows_only)
            if is_empty(world, row, column) and is_goal(world, row, column, reach):
                noun, other = world.object_class[first], world.object_class[second]
                offer(world, choice, speech, row * SIDE + column, noun=noun, second=other)
