"""rec_loc_obj2col: say the colour of what is on one side of an object."""

from xworld.teacher import frames
from xworld.teacher.choice import ABSENT, Speech, offer
from xworld.teacher.conditions import direction_between_objects, has_named_colour, has_unique_name, is_visible
from xworld.teacher.subtask import NEIGHBOURS, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc_obj2col",
    "C1 & C6",
    frames.ASK_COLOUR,
    tuple(f"{{location}} {preposition} the {{object}}" for preposition in frames.PREPOSITIONS),
    objects_needed=2,
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
                    answer = speech.manner.colour_words[world.object_colour[neighbour]]
                    offer(world, choice, speech, answer, direction, ABSENT, world.object_class[index], ABSENT)
