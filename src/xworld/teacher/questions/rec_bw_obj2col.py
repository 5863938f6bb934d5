"""rec_bw_obj2col: say the color of the object between two others."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_color
from xworld.teacher.conditions import has_named_color, object_between
from xworld.teacher.subtask import ALIGNED, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_bw_obj2col",
    "C7",
    templates.ASK_COLOR,
    ("object between {object} and {second}",),
    scene_needs=ALIGNED,
    weight=16,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its color."""
    for first in range(world.objects):
        for second in range(world.objects):
            middle = object_between(world, first, second, speech.wording.rows_only)
            if middle >= 0 and has_named_color(world, middle):
                names = world.object_class[first], world.object_class[second]
                offer_color(world, choice, speech, middle, ABSENT, ABSENT, names[0], names[1])
