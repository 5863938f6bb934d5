"""rec_loc2col: say the color of the object beside the agent."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_color
from xworld.teacher.conditions import direction_from_agent, has_named_color
from xworld.teacher.subtask import BESIDE_AGENT, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc2col", "C5", templates.ASK_COLOR, ("object in the {location}",), scene_needs=BESIDE_AGENT, weight=6
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the color of the neighbor."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_named_color(world, index):
            offer_color(world, choice, speech, index, direction, ABSENT, ABSENT, ABSENT)
