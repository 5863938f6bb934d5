"""rec_col_obj2loc: say where the one object of this color and name is, if it is beside the agent."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_direction
from xworld.teacher.conditions import direction_from_agent, has_look_alike
from xworld.teacher.subtask import BESIDE_AGENT, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_col_obj2loc",
    "C2 & C5",
    templates.ASK_LOCATION,
    ("{color} {object}",),
    scene_needs=BESIDE_AGENT,
    weight=12,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its direction, seen from the agent."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_look_alike(world, index):
            color, name = world.object_color[index], world.object_class[index]
            offer_direction(world, choice, speech, direction, ABSENT, color, name, ABSENT)
