"""rec_loc_obj2obj: name what is on one side of an object."""

from xworld.teacher.choice import SpeechContext, name_word, offer, turns_to_empty
from xworld.teacher.conditions import direction_between_objects, has_unique_name, is_empty, is_visible
from xworld.teacher.subtask import ASK_NAME, NEIGHBORS, OBJECT_SIDES, Subtask
from xworld.world.cells import COLUMN_STEP, ROW_STEP
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc_obj2obj",
    "C1 & C6",
    ASK_NAME,
    OBJECT_SIDES,
    tuple(f"in the {side}" for side in OBJECT_SIDES),
    scene_needs=NEIGHBORS,
    weight=2,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the name of its neighbor; sometimes the cell is empty: nothing."""
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            noun = world.object_class[index]
            for neighbor in range(world.objects):
                direction = direction_between_objects(world, index, neighbor)
                if direction >= 0 and is_visible(world, neighbor):
                    offer(world, choice, speech, name_word(world, speech, neighbor), location=direction, noun=noun)
    if turns_to_empty(world, choice, speech):
        _propose_nothing(world, choice, speech)


@kernel
def _propose_nothing(world: Record, choice: Record, speech: SpeechContext) -> None:
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            noun = world.object_class[index]
            for direction in range(len(ROW_STEP)):
                row = world.object_row[index] + ROW_STEP[direction]
                column = world.object_column[index] + COLUMN_STEP[direction]
                if is_empty(world, row, column):
                    offer(world, choice, speech, speech.wording.nothing, location=direction, noun=noun)
