"""rec_bw_obj2loc: say where the object between two others is, if it is beside the agent."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_direction
from xworld.teacher.conditions import direction_from_agent, object_between
from xworld.teacher.subtask import ALIGNED, BESIDE_AGENT, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_bw_obj2loc",
    "C7 & C8",
    templates.ASK_LOCATION,
    ("object between {object} and {second}",),
    scene_needs=ALIGNED + BESIDE_AGENT,
    weight=64,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its direction, seen from the agent."""
    for first in range(world.objects):
        for second in range(world.objects):
            middle = object_between(world, first, second, speech.wording.rows_only)
            direction = direction_from_agent(world, middle) if middle >= 0 else -1
            if direction >= 0:
                names = world.object_class[first], world.object_class[second]
                offer_direction(world, choice, speech, direction, ABSENT, ABSENT, names[0], names[1])
