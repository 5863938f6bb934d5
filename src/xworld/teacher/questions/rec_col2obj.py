"""rec_col2obj: name the only object of a color."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_name
from xworld.teacher.conditions import has_unique_color, is_visible
from xworld.teacher.subtask import Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask("rec_col2obj", "C4", templates.ASK_NAME, ("{color} object",), ("{color}",))


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of its class."""
    for index in range(world.objects):
        if has_unique_color(world, index) and is_visible(world, index):
            offer_name(world, choice, speech, index, ABSENT, world.object_color[index], ABSENT, ABSENT)
