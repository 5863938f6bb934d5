"""rec_loc2obj: name what is beside the agent."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer, offer_name, turns_to_empty
from xworld.teacher.conditions import direction_from_agent, is_empty
from xworld.teacher.subtask import BESIDE_AGENT, Subtask
from xworld.world.cells import COLUMN_STEP, ROW_STEP
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc2obj",
    "C5",
    templates.ASK_NAME,
    ("object in the {location}",),
    ("in the {location}",),
    scene_needs=BESIDE_AGENT,
    weight=4,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of the neighbor; now and then an empty cell is asked about: nothing."""
    for index in range(world.objects):
        direction = direction_from_agent(world, index)
        if direction >= 0:
            offer_name(world, choice, speech, index, direction, ABSENT, ABSENT, ABSENT)
    if turns_to_empty(world, choice, speech):
        _propose_nothing(world, choice, speech)


@kernel
def _propose_nothing(world: Record, choice: Record, speech: SpeechContext) -> None:
    for direction in range(len(ROW_STEP)):
        row, column = world.agent_row + ROW_STEP[direction], world.agent_column + COLUMN_STEP[direction]
        if is_empty(world, row, column):
            offer(world, choice, speech, speech.wording.nothing, direction, ABSENT, ABSENT, ABSENT)
