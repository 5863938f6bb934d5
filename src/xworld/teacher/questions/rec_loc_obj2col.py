"""rec_loc_obj2col: say the color of what is on one side of an object."""

from xworld.teacher import templates
from xworld.teacher.choice import ABSENT, SpeechContext, offer_color
from xworld.teacher.conditions import direction_between_objects, has_named_color, has_unique_name, is_visible
from xworld.teacher.subtask import NEIGHBORS, Subtask
from xworld.world.kernel import Record, kernel

SUBTASK = Subtask(
    "rec_loc_obj2col",
    "C1 & C6",
    templates.ASK_COLOR,
    templates.SIDES_OF_AN_OBJECT,
    scene_needs=NEIGHBORS,
    weight=2,
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the color of its neighbor."""
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            for neighbor in range(world.objects):
                direction = direction_between_objects(world, index, neighbor)
                if direction >= 0 and is_visible(world, neighbor) and has_named_color(world, neighbor):
                    name = world.object_class[index]
                    offer_color(world, choice, speech, neighbor, direction, ABSENT, name, ABSENT)
