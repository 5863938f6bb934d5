"""rec_col_obj2loc: say where the one object of this color and name is, if it is next to the agent."""

from xworld.teacher.choice import SpeechContext, direction_word, offer
from xworld.teacher.conditions import direction_from_agent, has_look_alike
from xworld.teacher.subtask import ASK_LOCATION, BESIDE_AGENT, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_col_obj2loc",
    "C2 & C5",
    ASK_LOCATION,
    ("{color} {object}",),
    scene_needs=BESIDE_AGENT,
    weight=12,
    title="say where the one of a color is",
    why_not=(
        "the object would have to be beside the agent, the only one of its name and color, "
        "and others would have to share either"
    ),
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is its direction from the agent."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_look_alike(world, index):
            color, noun = world.object_color[index], world.object_class[index]
            offer(world, choice, speech, direction_word(speech, direction), color=color, noun=noun)
