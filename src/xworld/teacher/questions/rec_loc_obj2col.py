"""rec_loc_obj2col: say the color of what is on one side of an object."""

from xworld.teacher.choice import SpeechContext, color_word, offer
from xworld.teacher.conditions import direction_between_objects, has_named_color, has_unique_name, is_visible
from xworld.teacher.subtask import ASK_COLOR, NEIGHBORS, OBJECT_SIDES, Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_loc_obj2col",
    "C1 & C6",
    ASK_COLOR,
    OBJECT_SIDES,
    scene_needs=NEIGHBORS,
    weight=2,
    title="say the color beside an object",
    why_not="there is no object of a color with a word on that side of it",
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is the color of its neighbor."""
    for index in range(world.objects):
        if has_unique_name(world, index) and is_visible(world, index):
            noun = world.object_class[index]
            for neighbor in range(world.objects):
                direction = direction_between_objects(world, index, neighbor)
                if direction >= 0 and is_visible(world, neighbor) and has_named_color(world, neighbor):
                    offer(world, choice, speech, color_word(world, speech, neighbor), location=direction, noun=noun)
