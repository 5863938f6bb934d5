"""rec_loc_obj2obj: name what is on one side of an object."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer, offer_name, turns_to_empty
from xworld.teacher.conditions import direction_between_objects, has_unique_name, is_empty, is_visible
from xworld.teacher.subtask import NEIGHBOURS, Subtask
from xworld.world.cells import COLUMN_STEP, ROW_STEP
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc_obj2obj",
    "C1 & C6",
    frames.ASK_NAME,
    frames.SIDES_OF_AN_OBJECT,
    tuple(f"in the {side}" for side in frames.SIDES_OF_AN_OBJECT),
    scene_needs=NEIGHBOURS,
    weight=2,
)


@kernel
def propose(world: Record, choice: Record, speech: Speech) -> None:
    """The answer is the name of its neighbour; now and then an empty cell is asked about: nothing."""
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            for neighbour in range(world.objects):
                direction = direction_between_objects(world, index, neighbour)
                if direction >= 0 and is_visible(world, neighbour):
                    name = world.object_class[index]
                    offer_name(world, choice, speech, neighbour, direction, ABSENT, name, ABSENT)
    if turns_to_empty(world, choice, speech):
        _propose_nothing(world, choice, speech)


@kernel
def _propose_nothing(world: Record, choice: Record, speech: Speech) -> None:
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            for direction in range(len(ROW_STEP)):
                row = world.object_row[index] + ROW_STEP[direction]
                column = world.object_column[index] + COLUMN_STEP[direction]
                if is_empty(world, row, column):
                    name = world.object_class[index]
                    offer(world, choice, speech, speech.manner.nothing, direction, ABSENT, name, ABSENT)
