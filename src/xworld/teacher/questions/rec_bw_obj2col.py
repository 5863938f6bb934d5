"""rec_bw_obj2col: say the colour of the object between two others."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer
from xworld.teacher.conditions import has_named_colour, object_between
from xworld.teacher.subtask import ALIGNED, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_bw_obj2col",
    "C7",
    frames.ASK_COLOUR,
    ("object between {object} and {second}",),
    objects_needed=3,
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
                answer = speech.manner.colour_words[world.object_colour[middle]]
                names = world.object_class[first], world.object_class[second]
                offer(world, choice, speech, answer, ABSENT, ABSENT, names[0], names[1])
