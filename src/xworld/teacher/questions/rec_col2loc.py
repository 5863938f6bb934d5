"""rec_col2loc: say where the only object of a color is, if it is beside the agent."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_direction
from xworld.teacher.conditions import direction_from_agent, has_unique_color
from xworld.teacher.subtask import BESIDE_AGENT, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_col2loc", "C4 & C5", templates.ASK_LOCATION, ("{color} object",), scene_needs=BESIDE_AGENT, weight=8
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its direction, seen from the agent."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_unique_color(world, index):
            offer_direction(world, choice, speech, direction, ABSENT, world.object_color[index], ABSENT, ABSENT)
