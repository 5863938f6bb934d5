"""rec_obj2loc: say where an object is that is next to the agent and the only one of its name."""

from xworld.teacher.choice import SpeechContext, direction_word, offer
from xworld.teacher.conditions import direction_from_agent, has_unique_name
from xworld.teacher.subtask import ASK_LOCATION, BESIDE_AGENT, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_obj2loc",
    "C1 & C5",
    ASK_LOCATION,
    ("{object}",),
    scene_needs=BESIDE_AGENT,
    weight=4,
    title="say where an object is",
    why_not="it is not beside the agent, and only then does its direction have a name",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its direction from the agent."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_unique_name(world, index):
            offer(world, choice, speech, direction_word(speech, direction), noun=world.object_class[index])
