"""rec_obj2col: say the colour of an object that is the only one of its name."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer_colour
from xworld.teacher.conditions import has_named_colour, has_unique_name, is_visible
from xworld.teacher.subtask import Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask("rec_obj2col", "C1", frames.ASK_COLOUR, ("{object}",))


@kernel
def propose(world: Record, choice: Record, speech: Speech) -> None:
    """The answer is its colour."""
    for index in range(world.objects):
        if has_unique_name(world, index) and has_named_colour(world, index) and is_visible(world, index):
            offer_colour(world, choice, speech, index, ABSENT, ABSENT, world.object_class[index], ABSENT)
