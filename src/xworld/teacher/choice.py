"""Choosing what to say: a subtask offers everything that would be true, and one offer is kept at random."""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from xworld.world.catalogue import COLORS
from xworld.world.cells import DIRECTIONS, SIDE, holds
from xworld.world.kernel import Record, kernel
from xworld.world.rng import integers, uniform

ABSENT = cast(int, np.int64(-1))
"""Stands for a slot that the sentence does not have. (A plain -1 would be a type of its own to the compiler.)"""

CHOICE = np.dtype(
    [
        # Offers made so far.
        ("offers", np.int64),
        # 0: keep one at random; k > 0: all are to be listed, keep the k-th.
        ("wanted", np.int64),
        ("location", np.int64),
        ("color", np.int64),
        ("object", np.int64),
        ("second", np.int64),
        # Of a command: the target cell, row x 7 + column; of a question: the number of the answer.
        ("outcome", np.int64),
    ]
)

WORDING = np.dtype(
    [
        ("direction_words", np.int64, (len(DIRECTIONS),)),
        ("color_words", np.int64, (len(COLORS),)),
        ("nothing", np.int64),
        # Whether "between" is said of rows only, not of columns.
        ("rows_only", np.bool_),
        # How often a question about a place is turned to an empty one.
        ("nothing_rate", np.float64),
    ],
    align=True,
)

BANNED_WORD, BANNED_LOCATION = 0, 1
BANNED_COLOR = BANNED_LOCATION + len(DIRECTIONS)
BANNED_SECOND = BANNED_COLOR + len(COLORS)
"""The columns of a table of banned words: the class itself, and with each location, color and second class."""


class SpeechContext(NamedTuple):
    """What a subtask needs to know to offer a sentence."""

    wording: Record
    """A record of `WORDING`."""
    object_words: NDArray[np.int64]
    """(classes,) The numbers of their words."""
    banned: NDArray[np.bool_]
    """(classes, 13 + classes) What must not be named: a class, or a class together with something else."""


@kernel
def offer(
    world: Record,
    choice: Record,
    speech: SpeechContext,
    outcome: int,
    location: int,
    color: int,
    first: int,
    second: int,
) -> None:
    """Offer to say something with this outcome.

    The n-th offer is kept with probability 1/n, so that in the end each of them is kept equally often.
    """
    if first != ABSENT and _is_banned(speech.banned, location, color, first, second):
        return
    choice.offers += 1
    kept = choice.offers == choice.wanted if choice.wanted > 0 else integers(world, choice.offers) == 0
    if kept:
        choice.location = location
        choice.color = color
        choice.object = first
        choice.second = second
        choice.outcome = outcome


@kernel
def offer_name(
    world: Record, choice: Record, speech: SpeechContext, index: int, location: int, color: int, first: int, second: int
) -> None:
    """Offer to ask for the name of an object."""
    answer = speech.object_words[world.object_class[index]]
    offer(world, choice, speech, answer, location, color, first, second)


@kernel
def offer_color(
    world: Record, choice: Record, speech: SpeechContext, index: int, location: int, color: int, first: int, second: int
) -> None:
    """Offer to ask for the color of an object."""
    answer = speech.wording.color_words[world.object_color[index]]
    offer(world, choice, speech, answer, location, color, first, second)


@kernel
def offer_direction(
    world: Record,
    choice: Record,
    speech: SpeechContext,
    direction: int,
    location: int,
    color: int,
    first: int,
    second: int,
) -> None:
    """Offer to ask where something is."""
    answer = speech.wording.direction_words[direction]
    offer(world, choice, speech, answer, location, color, first, second)


@kernel
def offer_way(
    world: Record,
    choice: Record,
    speech: SpeechContext,
    reach: np.uint64,
    row: int,
    column: int,
    location: int,
    color: int,
    first: int,
    second: int,
) -> None:
    """Offer to send the agent to a cell, if it can get there and is not there already."""
    here = row == world.agent_row and column == world.agent_column
    if not here and holds(reach, row, column):
        offer(world, choice, speech, row * SIDE + column, location, color, first, second)


@kernel
def may_be_empty(world: Record, choice: Record, speech: SpeechContext) -> bool:
    """Whether an empty place may be asked about: now and then, or when all is to be listed."""
    return choice.wanted > 0 or uniform(world) < speech.wording.nothing_rate


@kernel
def turns_to_empty(world: Record, choice: Record, speech: SpeechContext) -> bool:
    """Whether to ask about empty places instead of the objects offered so far, or besides when all is to be listed."""
    if choice.wanted > 0:
        return True
    if choice.offers == 0 or not may_be_empty(world, choice, speech):
        return False
    choice.offers = 0
    return True


@kernel
def _is_banned(banned: NDArray[np.bool_], location: int, color: int, first: int, second: int) -> bool:
    if banned[first, BANNED_WORD]:
        return True
    if location != ABSENT and banned[first, BANNED_LOCATION + location]:
        return True
    if color != ABSENT and banned[first, BANNED_COLOR + color]:
        return True
    return second != ABSENT and (banned[second, BANNED_WORD] or banned[first, BANNED_SECOND + second])
