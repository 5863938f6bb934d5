"""rec_bw_obj2col: say the colour of the object between two others."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer_colour
from xworld.teacher.conditions import has_named_colour, object_between
from xworld.teacher.subtask import ALIGNED, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_bw_obj2col",
    "C7",
    frames.ASK_COLOUR,
    ("object between {object} and {second}",),
    scene_needs=ALIGNED,
    weight=16,
)


@kernel
def propose(world: Record, choice: Record, speech: Speech) -> None:
    """The answer is its colour."""
    for first in range(world.objects):
        for second in range(world.objects):
            middle = object_between(world, first, second, speech.manner.rows_only)
            if middle >= 0 and has_named_colour(world, middle):
                names = world.object_class[first], world.object_class[second]
                offer_colour(world, choice, speech, middle, ABSENT, ABSENT, names[0], names[1])
