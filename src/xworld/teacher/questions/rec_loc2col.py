"""rec_loc2col: say the color of the object next to the agent."""

from xworld.teacher.choice import SpeechContext, color_word, offer
from xworld.teacher.conditions import direction_from_agent, has_named_color
from xworld.teacher.subtask import ASK_COLOR, BESIDE_AGENT, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_loc2col",
    "C5",
    ASK_COLOR,
    ("object in the {location}",),
    scene_needs=BESIDE_AGENT,
    weight=6,
    title="say the color beside you",
    why_not="there is no object of a color with a word beside the agent on that side",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the color of the neighbor."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0 and has_named_color(world, index):
            offer(world, choice, speech, color_word(world, speech, index), location=direction)
