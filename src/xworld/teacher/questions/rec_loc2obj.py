"""rec_loc2obj: name what is next to the agent."""

from xworld.teacher.choice import SpeechContext, name_word, offer, turns_to_empty
from xworld.teacher.conditions import direction_from_agent, is_empty
from xworld.teacher.subtask import ASK_NAME, BESIDE_AGENT, Subtask
from xworld.world.cells import COLUMN_STEP, ROW_STEP
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc2obj",
    "C5",
    ASK_NAME,
    ("object in the {location}",),
    ("in the {location}",),
    scene_needs=BESIDE_AGENT,
    weight=4,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of the neighbor; sometimes the cell is empty: nothing."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0:
            offer(world, choice, speech, name_word(world, speech, index), location=direction)
    if turns_to_empty(world, choice, speech):
        _propose_nothing(world, choice, speech)


@kernel
def _propose_nothing(world: Record, choice: Record, speech: SpeechContext) -> None:
    for direction in range(len(ROW_STEP)):
        row, column = world.agent_row + ROW_STEP[direction], world.agent_column + COLUMN_STEP[direction]
        if is_empty(world, row, column):
            offer(world, choice, speech, speech.wording.nothing, location=direction)
