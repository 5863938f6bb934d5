"""rec_bw_obj2col: say the color of the object between two others."""

from xworld.teacher.choice import SpeechContext, color_word, offer
from xworld.teacher.conditions import has_named_color, object_between
from xworld.teacher.subtask import ALIGNED, ASK_COLOR, OBJECT_BETWEEN, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_bw_obj2col",
    "C7",
    ASK_COLOR,
    OBJECT_BETWEEN,
    scene_needs=ALIGNED,
    weight=16,
    title="say the color between two",
    why_not="the two must be two cells apart in a line, with an object of a color with a word between them",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its color."""
    for first in range(world.objects):
        for second in range(world.objects):
            middle = object_between(world, first, second, speech.wording.rows_only)
            if middle >= 0 and has_named_color(world, middle):
                answer = color_word(world, speech, middle)
                noun, other = world.object_class[first], world.object_class[second]
                offer(world, choice, speech, answer, noun=noun, second=other)
