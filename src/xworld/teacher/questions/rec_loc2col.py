"""rec_loc2col: say the colour of the object beside the agent."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer_colour
from xworld.teacher.conditions import direction_from_agent, has_named_colour
from xworld.teacher.subtask import BESIDE_AGENT, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc2col", "C5", frames.ASK_COLOUR, ("object in the {location}",), scene_needs=BESIDE_AGENT, weight=6
)


@kernel
def propose(world: Record, choice: Record, speech: Speech) -> None:
    """The answer is the colour of the neighbour."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_named_colour(world, index):
            offer_colour(world, choice, speech, index, direction, ABSENT, ABSENT, ABSENT)
