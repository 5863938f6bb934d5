"""A session, which is an episode: the teacher makes a map, gives a command, and asks a question at every step."""

import numpy as np
from numpy.typing import NDArray

from xworld.teacher import dispatch
from xworld.teacher.choice import ABSENT, CHOICE, SpeechContext, is_banned, own_answer
from xworld.teacher.conditions import object_between, scene_features
from xworld.teacher.curriculum import level, progress_of
from xworld.teacher.rules import Rules
from xworld.teacher.subtask import ANY_ARRANGEMENT, LOCATION_CODE, OBJECT_CODE, SECOND_CODE
from xworld.teacher.vocabulary import PADDING, SENTENCE_LENGTH
from xworld.world import layout
from xworld.world.cells import SIDE
from xworld.world.kernel import Record, kernel
from xworld.world.layout import LayoutPlan
from xworld.world.movement import move
from xworld.world.rng import integers, integers_between, uniform

NO_TYPE = -1
"""The type of question where none is asked."""

SESSION = np.dtype(
    [
        ("count", np.int64),  # of sessions begun in this world
        ("max_length", np.int64),  # of sentences, as the curriculum allows in this session
        ("command_type", np.int64),
        ("question_type", np.int64),
        ("answer", np.int64),
        ("command", np.int16, (SENTENCE_LENGTH,)),
        ("question", np.int16, (SENTENCE_LENGTH,)),
        ("choice", CHOICE),  # the last one, of a command or a question
        ("steps", np.int64),
        ("reward_sum", np.float64),
    ],
    align=True,
)

_LAYOUT_TRIES = 200
_COMMAND_TRIES = 50
_LINE_TRIES = 50


@kernel
def reset(world: Record, session: Record, rules: Rules, progress: float) -> bool:
    """Begin a session. False if no command applied in any of many layouts."""
    curriculum = rules.curriculum[0]
    progress = progress_of(curriculum, session.count, progress)
    session.count += 1
    session.max_length = level(curriculum.sentence_length, progress)
    session.steps = 0
    session.reward_sum = 0.0
    for _ in range(_COMMAND_TRIES):
        if _give_command(world, session, rules, progress):
            ask(world, session, rules)
            return True
    return False


@kernel
def step(world: Record, session: Record, rules: Rules, action: int) -> float:
    """Take one step, ask a question about the new scene, and return the reward."""
    reward = move(world, action, rules.rewards)
    session.steps += 1
    session.reward_sum += reward
    ask(world, session, rules)
    return reward


@kernel
def ask(world: Record, session: Record, rules: Rules) -> None:
    """Ask a question that applies to the scene, if there is one.

    Types are tried in random order by weight until one applies, so that each type that applies is asked with a
    probability proportional to its weight.
    """
    session.question_type = NO_TYPE
    session.answer = PADDING
    session.question[:] = PADDING
    params = rules.params[0]
    if params.question_rate < 1 and uniform(world) >= params.question_rate:
        return
    speech = SpeechContext(params.wording, rules.object_words, rules.banned_in_questions)
    untried = _promising_types(scene_features(world), params)
    while untried:
        subtask = _draw_type(world, params, untried)
        untried &= ~(1 << subtask)
        session.choice.offers = 0
        dispatch.propose_question(subtask, world, session.choice, speech)
        if session.choice.offers > 0:
            session.question_type = subtask
            answer = session.choice.target_or_answer
            session.answer = answer if answer >= 0 else params.answers[subtask, own_answer(answer)]
            _say(world, session, session.question, rules, len(params.command_types) + subtask)
            return


@kernel
def _say(world: Record, session: Record, sentence: NDArray[np.int16], rules: Rules, subtask: int) -> None:
    """Write the session's choice as a sentence: a random form of its type, with the slots filled."""
    book = rules.phrasebook[0]
    form = book.first[subtask] + integers(world, book.usable[subtask, session.max_length])
    for place in range(SENTENCE_LENGTH):
        sentence[place] = _word(book.forms[form, place], session.choice, rules.params[0].wording, rules.object_words)


@kernel
def _word(code: int, choice: Record, wording: Record, object_words: NDArray[np.int64]) -> int:
    if code >= PADDING:
        return code
    if code == OBJECT_CODE:
        return object_words[choice.object]
    if code == SECOND_CODE:
        return object_words[choice.second]
    if code == LOCATION_CODE:
        return wording.direction_words[choice.location]
    return wording.color_words[choice.color]


@kernel
def _promising_types(features: int, params: Record) -> int:
    """The types of question in use that the features of the scene do not rule out, as a set of bits."""
    types = 0
    for subtask in range(len(params.question_weights)):
        if params.question_weights[subtask] > 0 and params.scene_needs[subtask] & ~features == 0:
            types |= 1 << subtask
    return types


@kernel
def _draw_type(world: Record, params: Record, types: int) -> int:
    """One of a set of types, with a probability proportional to its weight."""
    total = 0.0
    for subtask in range(len(params.question_weights)):
        if types >> subtask & 1:
            total += params.question_weights[subtask]
    remaining = uniform(world) * total
    last = 0
    for subtask in range(len(params.question_weights)):
        if types >> subtask & 1:
            last = subtask
            remaining -= params.question_weights[subtask]
            if remaining < 0:
                break
    return last


@kernel
def _give_command(world: Record, session: Record, rules: Rules, progress: float) -> bool:
    """Draw a type of command, then layouts until the command applies."""
    params, curriculum = rules.params[0], rules.curriculum[0]
    speech = SpeechContext(params.wording, rules.object_words, rules.banned_in_commands)
    most_objects = level(curriculum.objects, progress)
    subtask = params.command_types[integers(world, params.command_type_count)]
    if params.objects_needed[subtask] > most_objects:
        return False
    objects = integers_between(world, max(curriculum.objects[0], params.objects_needed[subtask]), most_objects)
    walls = integers_between(world, curriculum.walls[0], level(curriculum.walls, progress))
    size, classes = level(curriculum.map_size, progress), level(curriculum.classes, progress)
    for _ in range(_LAYOUT_TRIES):
        arrangement, kinship = _draw_arrangement(world, subtask, objects, params)
        plan = LayoutPlan(size, objects, walls, classes, arrangement, kinship)
        if not _lay_out(world, plan, rules):
            continue
        session.choice.offers = 0
        dispatch.propose_command(subtask, world, session.choice, speech, layout.reachable(world))
        if session.choice.offers > 0:
            target = session.choice.target_or_answer
            world.target_row, world.target_column = target // SIDE, target % SIDE
            session.command_type = subtask
            _say(world, session, session.command, rules, subtask)
            return True
    return False


@kernel
def _lay_out(world: Record, plan: LayoutPlan, rules: Rules) -> bool:
    """Make a map; for objects in a line, try to find some of which the teacher may ask what is between them."""
    for _ in range(_LINE_TRIES):
        if not layout.lay_out(world, plan, rules.instances):
            return False
        if plan.arrangement != layout.LINED or _may_ask_between(world, rules.banned_in_questions):
            break
    return True


@kernel
def _may_ask_between(world: Record, banned: NDArray[np.bool_]) -> bool:
    """Whether two objects with a third between them may be named in one question."""
    for first in range(world.objects):
        for second in range(world.objects):
            if object_between(world, first, second, False) >= 0:
                noun, other = world.object_class[first], world.object_class[second]
                if not is_banned(banned, ABSENT, ABSENT, noun, other):
                    return True
    return False


@kernel
def _draw_arrangement(world: Record, subtask: int, objects: int, params: Record) -> tuple[int, int]:
    """An arrangement and a kinship of the objects that give the type of command a chance to apply."""
    arrangement, kinship = layout.SCATTERED, layout.UNRELATED
    draw = uniform(world)
    if params.arrangement[subtask] != ANY_ARRANGEMENT:
        arrangement = params.arrangement[subtask]
    elif draw < params.lined and objects >= 3:
        arrangement = layout.LINED
    elif params.lined <= draw < params.lined + params.clustered:
        arrangement = layout.CLUSTERED
    if params.look_alikes[subtask]:
        kinship = layout.SAME_CLASS if integers(world, 2) == 0 else layout.SAME_COLOR
    return arrangement, kinship
