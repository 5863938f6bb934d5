"""rec_loc_obj2obj: name what is on one side of an object."""

from xworld.teacher.choice import SpeechContext, name_word, offer, offer_empty_sides, turns_to_empty
from xworld.teacher.conditions import direction_between_objects, has_unique_name, is_visible
from xworld.teacher.subtask import ASK_NAME, NEIGHBORS, OBJECT_SIDES, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_loc_obj2obj",
    "C1 & C6",
    ASK_NAME,
    OBJECT_SIDES,
    tuple(f"in the {side}" for side in OBJECT_SIDES),
    scene_needs=NEIGHBORS,
    weight=2,
    title="name what is beside an object",
    why_not="there is neither an object nor free floor on that side of it",
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
        for index in range(world.objects):
            if has_unique_name(world, index) and is_visible(world, index):
                row, column = world.object_row[index], world.object_column[index]
                offer_empty_sides(world, choice, speech, row, column, world.object_class[index])
