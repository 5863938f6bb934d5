"""rec_bw_obj2obj: name what is between two objects."""

from xworld.teacher.choice import SpeechContext, may_be_empty, name_word, offer
from xworld.teacher.conditions import gap_between, object_between
from xworld.teacher.subtask import ALIGNED, ASK_NAME, OBJECT_BETWEEN, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_bw_obj2obj",
    "C7",
    ASK_NAME,
    OBJECT_BETWEEN,
    ("between {object} and {second}",),
    scene_needs=ALIGNED,
    weight=8,
    title="name what is between two",
    why_not="the two must be two cells apart in a line, with an object or free floor between them",
)

_GAP_SHARE = 0.25
"""Two objects have a gap between them four times as often as a third object."""


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of the object in the middle; sometimes the middle is empty: nothing."""
    rows_only = speech.wording.rows_only
    gaps_too = may_be_empty(world, choice, speech, _GAP_SHARE)
    for first in range(world.objects):
        for second in range(world.objects):
            noun, other = world.object_class[first], world.object_class[second]
            middle = object_between(world, first, second, rows_only)
            if middle >= 0:
                offer(world, choice, speech, name_word(world, speech, middle), noun=noun, second=other)
            elif gaps_too and gap_between(world, first, second, rows_only):
                offer(world, choice, speech, speech.wording.nothing, noun=noun, second=other)
