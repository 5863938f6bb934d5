"""rec_col2loc: say where the only object of a color is, if it is next to the agent."""

from xworld.teacher.choice import SpeechContext, direction_word, offer
from xworld.teacher.conditions import direction_from_agent, has_unique_color
from xworld.teacher.subtask import ASK_LOCATION, BESIDE_AGENT, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_col2loc",
    "C4 & C5",
    ASK_LOCATION,
    ("{color} object",),
    scene_needs=BESIDE_AGENT,
    weight=8,
    title="say where a color is",
    why_not="the only object of that color would have to be beside the agent",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its direction from the agent."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_unique_color(world, index):
            offer(world, choice, speech, direction_word(speech, direction), color=world.object_color[index])
