"""The content words of commands, read from their word numbers: thousands of commands at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xworld.teacher.choice import ABSENT, BANNED_COLOR, BANNED_LOCATION, BANNED_SECOND, BANNED_WORD
from xworld.teacher.grammar import Grammar
from xworld.teacher.holdout import Holdout
from xworld.world.cells import DIRECTIONS

Indices = NDArray[np.int64]


class Meanings(NamedTuple):
    """The content words of commands: (commands,) indices into the words of their kind, `ABSENT` where there is none."""

    object: Indices
    second: Indices
    location: Indices
    color: Indices


def read_meanings(commands: NDArray[np.int16], grammar: Grammar) -> Meanings:
    """The content words of commands, (commands, 12) word numbers."""
    nouns, order = _indices(commands, grammar, grammar.catalogue.classes), order_of_nouns(commands, grammar)
    return Meanings(
        object=np.where(order == 1, nouns, ABSENT).max(axis=1),
        second=np.where(order == 2, nouns, ABSENT).max(axis=1),
        location=_indices(commands, grammar, DIRECTIONS).max(axis=1),
        color=_indices(commands, grammar, grammar.catalogue.colors).max(axis=1),
    )


def order_of_nouns(commands: NDArray[np.int16], grammar: Grammar) -> NDArray[np.int64]:
    """(commands, 12) 1 for the first noun, 2 for the second, 0 for all other words."""
    nouns = _indices(commands, grammar, grammar.catalogue.classes) != ABSENT
    return np.where(nouns, np.cumsum(nouns, axis=1), 0)


def are_held_out(meanings: Meanings, holdout: Holdout, grammar: Grammar) -> NDArray[np.bool_]:
    """(commands,) Whether training under the hold-out never contains them; `Holdout.holds_out` for many commands."""
    banned = np.pad(holdout.banned_in_commands(grammar.catalogue), ((0, 1), (0, 0)))  # `ABSENT` reads the last row
    held_out = banned[meanings.object, BANNED_WORD] | banned[meanings.second, BANNED_WORD]
    columns = {BANNED_LOCATION: meanings.location, BANNED_COLOR: meanings.color, BANNED_SECOND: meanings.second}
    for column, others in columns.items():
        held_out |= (others != ABSENT) & banned[meanings.object, column + others]
    return np.array(held_out)


def _indices(sentences: NDArray[np.int16], grammar: Grammar, words: tuple[str, ...]) -> Indices:
    """The index of each word of the sentences among `words`; `ABSENT` if it is none of them."""
    table = np.full(len(grammar.vocabulary.words), ABSENT, np.int64)
    table[grammar.vocabulary.numbers(words)] = np.arange(len(words))
    return table[sentences]
