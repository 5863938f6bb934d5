"""rec_bw_obj2obj: name what is between two objects."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, may_be_empty, offer, offer_name
from xworld.teacher.conditions import gap_between, object_between
from xworld.teacher.subtask import ALIGNED, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_bw_obj2obj",
    "C7",
    templates.ASK_NAME,
    ("object between {object} and {second}",),
    ("between {object} and {second}",),
    scene_needs=ALIGNED,
    weight=8,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of the object in the middle; now and then, of an empty middle: nothing."""
    rows_only = speech.wording.rows_only
    gaps_too = may_be_empty(world, choice, speech)
    for first in range(world.objects):
        for second in range(world.objects):
            names = world.object_class[first], world.object_class[second]
            middle = object_between(world, first, second, rows_only)
            if middle >= 0:
                offer_name(world, choice, speech, middle, ABSENT, ABSENT, names[0], names[1])
            elif gaps_too and gap_between(world, first, second, rows_only):
                offer(world, choice, speech, speech.wording.nothing, ABSENT, ABSENT, names[0], names[1])
