"""rec_col2obj: name the only object of a colour."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer_name
from xworld.teacher.conditions import has_unique_colour, is_visible
from xworld.teacher.subtask import Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask("rec_col2obj", "C4", frames.ASK_NAME, ("{colour} object",), ("{colour}",))


@kernel
def propose(world: Record, choice: Record, speech: Speech) -> None:
    """The answer is the name of its class."""
    for index in range(world.objects):
        if has_unique_colour(world, index) and is_visible(world, index):
            offer_name(world, choice, speech, index, ABSENT, world.object_colour[index], ABSENT, ABSENT)
