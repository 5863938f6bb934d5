"""rec_col2obj: name the only object of a color."""

from xworld.teacher.choice import SpeechContext, name_word, offer
from xworld.teacher.conditions import has_unique_color, is_visible
from xworld.teacher.subtask import ASK_NAME, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_col2obj",
    "C4",
    ASK_NAME,
    ("{color} object",),
    ("{color}",),
    title="name what has a color",
    why_not="no object that can be seen is the only one of that color",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of its class."""
    for index in range(world.objects):
        if has_unique_color(world, index) and is_visible(world, index):
            offer(world, choice, speech, name_word(world, speech, index), color=world.object_color[index])
