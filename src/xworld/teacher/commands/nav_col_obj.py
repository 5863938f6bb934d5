"""nav_col_obj: go to the one object of this color and name, where another object shares either."""

from xworld.teacher.choice import SpeechContext, offer
from xworld.teacher.conditions import has_look_alike, is_goal
from xworld.teacher.subtask import COMMAND_TEMPLATES, Command
from xworld.world.cells import SIDE, CellSet
from xworld.world.kernel import Record, kernel

SUBTASK = Command(
    "nav_col_obj",
    "C0 & C2",
    COMMAND_TEMPLATES,
    ("{color} {object}",),
    objects_needed=2,
    title="go to the one of a color",
    why_not=(
        "she names a color only to tell one object from others of the same name or color, "
        "and only where there is a way that does not cross another object"
    ),
    look_alikes=True,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext, reach: CellSet) -> None:
    """The target is the object itself."""
    for index in range(world.objects):
        row, column = world.object_row[index], world.object_column[index]
        if has_look_alike(world, index) and is_goal(world, row, column, reach):
            color, noun = world.object_color[index], world.object_class[index]
            offer(world, choice, speech, row * SIDE + column, color=color, noun=noun)
