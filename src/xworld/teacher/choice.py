"""Choosing what to say: a type of sentence offers everything that would be true, and one offer is kept at random."""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.conditions import is_empty
from xworld.world.catalogue import MAX_COLORS
from xworld.world.cells import COLUMN_STEP, DIRECTIONS, ROW_STEP
from xworld.world.kernel import Record, kernel
from xworld.world.rng import integers, uniform

ABSENT = cast(int, np.int64(-1))
"""A slot that the sentence does not have. (A plain -1 would be a type of its own to the compiler.)"""

CHOICE = np.dtype(
    [
        ("offers", np.int64),  # made so far
        ("keep_nth", np.int64),  # 0: keep one offer at random; k > 0: keep the k-th, to list them all
        ("location", np.int64),
        ("color", np.int64),
        ("object", np.int64),
        ("second", np.int64),
        ("target_or_answer", np.int64),  # the target cell of a command, row x 7 + column; the answer to a question
    ]
)
"""The offer that was kept: the words in its slots, as indices or `ABSENT`, and its target or answer."""

WORDING = np.dtype(
    [
        ("direction_words", np.int64, (len(DIRECTIONS),)),
        ("color_words", np.int64, (MAX_COLORS,)),
        ("nothing", np.int64),
        ("rows_only", np.bool_),  # "between" is said of rows only, not of columns
        ("nothing_rate", np.float64),  # how often a question about a place asks about an empty one
    ],
    align=True,
)

BANNED_WORD, BANNED_LOCATION = 0, 1
BANNED_COLOR = BANNED_LOCATION + len(DIRECTIONS)
BANNED_SECOND = BANNED_COLOR + MAX_COLORS
"""The columns of a table of banned words: the class itself, then with each location, color and second class."""


class SpeechContext(NamedTuple):
    """What a type of sentence needs to know to make an offer."""

    wording: Record
    """A record of `WORDING`."""
    object_words: NDArray[np.int64]
    """(classes,) Word numbers."""
    banned: NDArray[np.bool_]
    """(classes, 13 + classes) Classes, alone or with another word, that must not be named."""


@kernel
def offer(
    world: Record,
    choice: Record,
    speech: SpeechContext,
    target_or_answer: int,
    location: int = ABSENT,
    color: int = ABSENT,
    noun: int = ABSENT,
    second: int = ABSENT,
) -> None:
    """Offer a sentence with these words, unless they are banned.

    The n-th offer is kept with probability 1/n, which makes all of them equally likely in the end.
    """
    if noun != ABSENT and is_banned(speech.banned, location, color, noun, second):
        return
    choice.offers += 1
    kept = choice.offers == choice.keep_nth if choice.keep_nth > 0 else integers(world, choice.offers) == 0
    if kept:
        choice.location = location
        choice.color = color
        choice.object = noun
        choice.second = second
        choice.target_or_answer = target_or_answer


@kernel
def name_word(world: Record, speech: SpeechContext, index: int) -> int:
    """The word for an object's class."""
    return speech.object_words[world.object_class[index]]


@kernel
def color_word(world: Record, speech: SpeechContext, index: int) -> int:
    """The word for an object's color."""
    return speech.wording.color_words[world.object_color[index]]


@kernel
def direction_word(speech: SpeechContext, direction: int) -> int:
    """The word for a direction."""
    return speech.wording.direction_words[direction]


@kernel
def own_answer(place: int) -> int:
    """One of the type's own answers, by its place in `Subtask.answers`: a negative code among word numbers."""
    return -1 - place


@kernel
def may_be_empty(world: Record, choice: Record, speech: SpeechContext, share: float = 1.0) -> bool:
    """Whether to offer empty places too: at a share of the settings' rate, and always when listing all offers."""
    return choice.keep_nth > 0 or uniform(world) < share * speech.wording.nothing_rate


@kernel
def turns_to_empty(world: Record, choice: Record, speech: SpeechContext) -> bool:
    """Whether to offer empty places instead of the objects offered so far, or besides them when listing all offers."""
    if choice.keep_nth > 0:
        return True
    if choice.offers == 0 or not may_be_empty(world, choice, speech):
        return False
    choice.offers = 0
    return True


@kernel
def offer_empty_sides(
    world: Record, choice: Record, speech: SpeechContext, row: int, column: int, noun: int = ABSENT
) -> None:
    """Offer each empty cell around a cell, with the answer "nothing"."""
    for direction in range(len(ROW_STEP)):
        if is_empty(world, row + ROW_STEP[direction], column + COLUMN_STEP[direction]):
            offer(world, choice, speech, speech.wording.nothing, location=direction, noun=noun)


@kernel
def is_banned(banned: NDArray[np.bool_], location: int, color: int, noun: int, second: int) -> bool:
    """Whether a noun must not be named, alone or with one of the other words."""
    if banned[noun, BANNED_WORD]:
        return True
    if location != ABSENT and banned[noun, BANNED_LOCATION + location]:
        return True
    if color != ABSENT and banned[noun, BANNED_COLOR + color]:
        return True
    return second != ABSENT and (banned[second, BANNED_WORD] or banned[noun, BANNED_SECOND + second])
