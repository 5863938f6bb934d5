"""A session as the teacher leads it: a map made for a command, the command, and a question at every step."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.choice import CHOICE, WORDING, SpeechContext
from xworld.teacher.commands import COMMANDS, NAV_BW_OBJ, NAV_COL_OBJ, propose_command
from xworld.teacher.conditions import scene_has
from xworld.teacher.curriculum import draw_up_to, level, progress_of
from xworld.teacher.questions import QUESTIONS, propose_question
from xworld.teacher.subtask import LOCATION_CODE, OBJECT_CODE, SECOND_CODE
from xworld.teacher.vocabulary import PADDING, SENTENCE_LENGTH
from xworld.world.cells import SIDE
from xworld.world.kernel import Record, kernel
from xworld.world.layout import (
    CLUSTERED,
    GAPPED,
    LINED,
    SAME_CLASS,
    SAME_COLOR,
    SCATTERED,
    UNRELATED,
    Instances,
    LayoutPlan,
    lay_out,
    reachable,
)
from xworld.world.movement import Rewards, move
from xworld.world.rng import integers, integers_between, uniform

NO_TYPE = -1
"""The type of question where none is asked."""

SESSION = np.dtype(
    [
        # Sessions begun so far in this world.
        ("sessions", np.int64),
        # The sentence length that the curriculum allows in this session.
        ("longest", np.int64),
        ("command_type", np.int64),
        ("question_type", np.int64),
        ("answer", np.int64),
        ("command", np.int16, (SENTENCE_LENGTH,)),
        ("question", np.int16, (SENTENCE_LENGTH,)),
        # The last choice made, of a command or a question.
        ("choice", CHOICE),
        # Steps taken and rewards earned in this session.
        ("steps", np.int64),
        ("earned", np.float64),
    ],
    align=True,
)

_COMMAND_COUNT, _QUESTION_COUNT = len(COMMANDS), len(QUESTIONS)
_OBJECTS_NEEDED = np.array([command.objects_needed for command in COMMANDS])
_SCENE_NEEDS = np.array([question.scene_needs for question in QUESTIONS])
_LAYOUT_TRIES = 200
_COMMAND_TRIES = 50


TEACHER_PARAMS = np.dtype(
    [
        ("wording", WORDING),
        # The types of command in use, by their place in `COMMANDS`, and how many they are.
        ("command_types", np.int64, (len(COMMANDS),)),
        ("command_type_count", np.int64),
        # How often each type of question is asked, relative to the others that apply.
        ("question_weights", np.float64, (len(QUESTIONS),)),
        ("question_rate", np.float64),
        ("clustered", np.float64),
        ("lined", np.float64),
    ],
    align=True,
)
"""How a teacher leads sessions; the settings of the same names say what each of these is."""


class Rules(NamedTuple):
    """Everything that the kernels read and never change. Records come as arrays of one."""

    params: NDArray[np.void]
    phrasebook: NDArray[np.void]
    curriculum: NDArray[np.void]
    rewards: Rewards
    instances: Instances
    object_words: NDArray[np.int64]
    banned_in_commands: NDArray[np.bool_]
    banned_in_questions: NDArray[np.bool_]


@kernel
def reset(world: Record, session: Record, rules: Rules, progress: float) -> bool:
    """Start a session. False if no command could be given in any of many layouts."""
    curriculum = rules.curriculum[0]
    how_far = progress_of(curriculum, session.sessions, progress)
    session.sessions += 1
    session.longest = level(curriculum.sentence_length, how_far)
    session.steps = 0
    session.earned = 0.0
    for _ in range(_COMMAND_TRIES):
        if _give_command(world, session, rules, how_far):
            ask(world, session, rules)
            return True
    return False


@kernel
def step(world: Record, session: Record, rules: Rules, action: int) -> float:
    """Take one step, ask about what is seen then, and return the reward."""
    reward = move(world, action, rules.rewards)
    session.steps += 1
    session.earned += reward
    ask(world, session, rules)
    return reward


@kernel
def ask(world: Record, session: Record, rules: Rules) -> None:
    """Ask a question that applies to the scene, if there is one.

    Types are tried in random order by weight until one applies: the first that does is any of those that apply with a
    chance proportional to its weight.
    """
    session.question_type = NO_TYPE
    session.answer = PADDING
    session.question[:] = PADDING
    params = rules.params[0]
    if params.question_rate < 1 and uniform(world) >= params.question_rate:
        return
    speech = SpeechContext(params.wording, rules.object_words, rules.banned_in_questions)
    untried = _promising_types(scene_has(world), params)
    while untried:
        subtask = _draw_type(world, params, untried)
        untried &= ~(1 << subtask)
        session.choice.offers = 0
        propose_question(subtask, world, session.choice, speech)
        if session.choice.offers > 0:
            session.question_type = subtask
            session.answer = session.choice.outcome
            kind = _COMMAND_COUNT + subtask
            say(world, session.question, rules.phrasebook[0], kind, session.longest, session.choice, speech)
            return


@kernel
def say(
    world: Record,
    sentence: NDArray[np.int16],
    book: Record,
    kind: int,
    longest: int,
    choice: Record,
    speech: SpeechContext,
) -> None:
    """Put a choice into words: a random form of the type, its slots filled in."""
    form = book.first[kind] + integers(world, book.usable[kind, longest])
    for place in range(SENTENCE_LENGTH):
        sentence[place] = _word(book.forms[form, place], choice, speech)


@kernel
def _word(code: int, choice: Record, speech: SpeechContext) -> int:
    if code >= PADDING:
        return code
    if code == OBJECT_CODE:
        return speech.object_words[choice.object]
    if code == SECOND_CODE:
        return speech.object_words[choice.second]
    if code == LOCATION_CODE:
        return speech.wording.direction_words[choice.location]
    return speech.wording.color_words[choice.color]


@kernel
def _promising_types(scene: int, params: Record) -> int:
    """The types of question in use that the scene does not rule out, as a set of bits."""
    types = 0
    for subtask in range(_QUESTION_COUNT):
        if params.question_weights[subtask] > 0 and _SCENE_NEEDS[subtask] & ~scene == 0:
            types |= 1 << subtask
    return types


@kernel
def _draw_type(world: Record, params: Record, types: int) -> int:
    """One of a set of types, with a chance proportional to its weight."""
    total = 0.0
    for subtask in range(_QUESTION_COUNT):
        if types >> subtask & 1:
            total += params.question_weights[subtask]
    remaining = uniform(world) * total
    last = 0
    for subtask in range(_QUESTION_COUNT):
        if types >> subtask & 1:
            last = subtask
            remaining -= params.question_weights[subtask]
            if remaining < 0:
                break
    return last


@kernel
def _give_command(world: Record, session: Record, rules: Rules, progress: float) -> bool:
    """Draw a type of command, then layouts until it applies to one."""
    params, curriculum = rules.params[0], rules.curriculum[0]
    speech = SpeechContext(params.wording, rules.object_words, rules.banned_in_commands)
    most_objects = level(curriculum.objects, progress)
    subtask = params.command_types[integers(world, params.command_type_count)]
    if _OBJECTS_NEEDED[subtask] > most_objects:
        return False
    objects = integers_between(world, max(curriculum.objects[0], _OBJECTS_NEEDED[subtask]), most_objects)
    walls = draw_up_to(world, curriculum.walls, progress)
    size, classes = level(curriculum.map_size, progress), level(curriculum.classes, progress)
    for _ in range(_LAYOUT_TRIES):
        arrangement, kinship = _draw_arrangement(world, subtask, objects, params)
        plan = LayoutPlan(size, objects, walls, classes, arrangement, kinship)
        if not lay_out(world, plan, rules.instances):
            continue
        session.choice.offers = 0
        propose_command(subtask, world, session.choice, speech, reachable(world))
        if session.choice.offers > 0:
            target = session.choice.outcome
            world.target_row, world.target_column = target // SIDE, target % SIDE
            session.command_type = subtask
            say(world, session.command, rules.phrasebook[0], subtask, session.longest, session.choice, speech)
            return True
    return False


@kernel
def _draw_arrangement(world: Record, subtask: int, objects: int, params: Record) -> tuple[int, int]:
    """How the objects lie and what they share, such that the type of command has a chance to apply."""
    arrangement, kinship = SCATTERED, UNRELATED
    lot = uniform(world)
    if subtask == NAV_BW_OBJ:
        arrangement = GAPPED
    elif lot < params.lined and objects >= 3:
        arrangement = LINED
    elif params.lined <= lot < params.lined + params.clustered:
        arrangement = CLUSTERED
    if subtask == NAV_COL_OBJ:
        kinship = SAME_CLASS if integers(world, 2) == 0 else SAME_COLOR
    return arrangement, kinship
