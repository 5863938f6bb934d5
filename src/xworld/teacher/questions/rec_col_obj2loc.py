"""rec_col_obj2loc: say where the one object of this colour and name is, if it is beside the agent."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer_direction
from xworld.teacher.conditions import direction_from_agent, has_look_alike
from xworld.teacher.subtask import BESIDE_AGENT, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_col_obj2loc",
    "C2 & C5",
    frames.ASK_LOCATION,
    ("{colour} {object}",),
    scene_needs=BESIDE_AGENT,
    weight=12,
)


@kernel
def propose(world: Record, choice: Record, speech: Speech) -> None:
    """The answer is its direction, seen from the agent."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_look_alike(world, index):
            colour, name = world.object_colour[index], world.object_class[index]
            offer_direction(world, choice, speech, direction, ABSENT, colour, name, ABSENT)
