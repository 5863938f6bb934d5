"""rec_loc_obj2obj: name what is on one side of an object."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer, offer_name, turns_to_empty
from xworld.teacher.conditions import direction_between_objects, has_unique_name, is_empty, is_visible
from xworld.teacher.subtask import NEIGHBORS, Subtask
from xworld.world.cells import COLUMN_STEP, ROW_STEP
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc_obj2obj",
    "C1 & C6",
    templates.ASK_NAME,
    templates.SIDES_OF_AN_OBJECT,
    tuple(f"in the {side}" for side in templates.SIDES_OF_AN_OBJECT),
    scene_needs=NEIGHBORS,
    weight=2,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of its neighbor; now and then an empty cell is asked about: nothing."""
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            for neighbor in range(world.objects):
                direction = direction_between_objects(world, index, neighbor)
                if direction >= 0 and is_visible(world, neighbor):
                    name = world.object_class[index]
                    offer_name(world, choice, speech, neighbor, direction, ABSENT, name, ABSENT)
    if turns_to_empty(world, choice, speech):
        _propose_nothing(world, choice, speech)


@kernel
def _propose_nothing(world: Record, choice: Record, speech: SpeechContext) -> None:
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            for direction in range(len(ROW_STEP)):
                row = world.object_row[index] + ROW_STEP[direction]
                column = world.object_column[index] + COLUMN_STEP[direction]
                if is_empty(world, row, column):
                    name = world.object_class[index]
                    offer(world, choice, speech, speech.wording.nothing, direction, ABSENT, name, ABSENT)
