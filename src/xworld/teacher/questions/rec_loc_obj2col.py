"""rec_loc_obj2col: say the colour of what is on one side of an object."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer_colour
from xworld.teacher.conditions import direction_between_objects, has_named_colour, has_unique_name, is_visible
from xworld.teacher.subtask import NEIGHBOURS, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc_obj2col",
    "C1 & C6",
    frames.ASK_COLOUR,
    frames.SIDES_OF_AN_OBJECT,
    scene_needs=NEIGHBOURS,
    weight=2,
)


@kernel
def propose(world: Record, choice: Record, speech: Speech) -> None:
    """The answer is the colour of its neighbour."""
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            for neighbour in range(world.objects):
                direction = direction_between_objects(world, index, neighbour)
                if direction >= 0 and is_visible(world, neighbour) and has_named_colour(world, neighbour):
                    name = world.object_class[index]
                    offer_colour(world, choice, speech, neighbour, direction, ABSENT, name, ABSENT)
