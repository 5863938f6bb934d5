"""rec_count: say how many objects there are."""

from xworld.teacher.choice import SpeechContext, offer, own_answer
from xworld.teacher.conditions import is_visible
from xworld.teacher.subtask import Question
from xworld.world.kernel import Record, kernel

SUBTASK = Question(
    "rec_count",
    "an object is in sight",
    ("how many objects are there ?", "how many objects can you see ?", "tell me how many objects there are ."),
    title="count the objects",
    why_not="there is no object in sight",
    answers=("one", "two", "three", "four", "five", "six", "seven", "eight"),
)


@kernel
def propose(world: Record, choice: Record, speech: SpeechContext) -> None:
    """The answer is their number, without an object that the agent stands on: it cannot see that one."""
    count = 0
    for index in range(world.objects):
        count += is_visible(world, index)
    if count > 0:
        offer(world, choice, speech, own_answer(count - 1))
