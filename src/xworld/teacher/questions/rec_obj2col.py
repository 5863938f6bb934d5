"""rec_obj2col: say the color of an object that is the only one of its name."""

from xworld.teacher.choice import SpeechContext, color_word, offer
from xworld.teacher.conditions import has_named_color, has_unique_name, is_visible
from xworld.teacher.subtask import ASK_COLOR, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_obj2col",
    "C1",
    ASK_COLOR,
    ("{object}",),
    title="say an object's color",
    why_not="its color has no word, or the agent stands on it",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its color."""
    for index in range(world.objects):
        if has_unique_name(world, index) and has_named_color(world, index) and is_visible(world, index):
            offer(world, choice, speech, color_word(world, speech, index), noun=world.object_class[index])
