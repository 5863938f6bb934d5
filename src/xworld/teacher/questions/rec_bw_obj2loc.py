"""rec_bw_obj2loc: say where the object between two others is, if it is next to the agent."""

from xworld.teacher.choice import SpeechContext, direction_word, offer
from xworld.teacher.conditions import direction_from_agent, object_between
from xworld.teacher.subtask import ALIGNED, ASK_LOCATION, BESIDE_AGENT, OBJECT_BETWEEN, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_bw_obj2loc",
    "C7 & C8",
    ASK_LOCATION,
    OBJECT_BETWEEN,
    scene_needs=ALIGNED + BESIDE_AGENT,
    weight=64,
    title="say where the one between two is",
    why_not="the two must be two cells apart in a line, and the object between them beside the agent",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its direction from the agent."""
    for first in range(world.objects):
        for second in range(world.objects):
            middle = object_between(world, first, second, speech.wording.rows_only)
            direction = direction_from_agent(world, middle) if middle >= 0 else -1
            if direction >= 0:
                noun, other = world.object_class[first], world.object_class[second]
                offer(world, choice, speech, direction_word(speech, direction), noun=noun, second=other)
