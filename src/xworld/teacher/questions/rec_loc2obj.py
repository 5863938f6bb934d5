"""rec_loc2obj: name what is next to the agent."""

from xworld.teacher.choice import SpeechContext, name_word, offer, offer_empty_sides, turns_to_empty
from xworld.teacher.conditions import direction_from_agent
from xworld.teacher.subtask import ASK_NAME, BESIDE_AGENT, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_loc2obj",
    "C5",
    ASK_NAME,
    ("object in the {location}",),
    ("in the {location}",),
    scene_needs=BESIDE_AGENT,
    weight=4,
    title="name what is beside you",
    why_not="there is neither an object nor free floor beside the agent on that side",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of the neighbor; sometimes the cell is empty: nothing."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0:
            offer(world, choice, speech, name_word(world, speech, index), location=direction)
    if turns_to_empty(world, choice, speech):
        offer_empty_sides(world, choice, speech, world.agent_row, world.agent_column)
