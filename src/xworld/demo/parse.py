"""From what a person types to a sentence of the teacher's words: its mark, its kind, and what is wrong with it."""

import difflib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xworld.demo.errors import RequestError
from xworld.demo.fields import quote
from xworld.teacher.grammar import Grammar, Sentence
from xworld.teacher.settings import COMMAND_NAMES
from xworld.teacher.vocabulary import CLOSING_MARKS, SENTENCE_LENGTH, Vocabulary, WordError, tokenize

LONGEST_TEXT = 400
"""Characters; twelve words need far fewer."""

_ASKING = ("what", "where", "which", "in which", "on which")
"""How questions begin that end with a question mark."""
_IGNORED = str.maketrans(dict.fromkeys(",;:\"'\u201c\u201d\u2018\u2019", " ") | {"!": "."})
_NEAR = 3


@dataclass(frozen=True)
class Said:
    """A sentence that the agent can read."""

    words: tuple[str, ...]
    numbers: NDArray[np.int16]
    """(12,)"""
    sentence: Sentence | None
    """What it says, if it is one of the teacher's."""

    @property
    def is_command(self) -> bool:
        """By the teacher's grammar; what is none of hers goes by its mark."""
        return self.sentence.subtask in COMMAND_NAMES if self.sentence else self.words[-1] == "."


def understand_text(text: str, grammar: Grammar) -> Said:
    """Read what a person typed.

    >>> from xworld.world.catalogue import Catalogue
    >>> said = understand_text("could you please go to the dog", Grammar(Catalogue.load()))
    >>> said.words[-2:], said.sentence.subtask
    (('dog', '?'), 'nav_obj')
    """
    if len(text) > LONGEST_TEXT:
        raise RequestError(
            f"The sentence is too long: at most {SENTENCE_LENGTH} words and marks, not {len(text)} characters."
        )
    words = tokenize(text.translate(_IGNORED))
    if not set(words) - set(CLOSING_MARKS):
        raise RequestError("Nothing was said; try “Go to the apple.” or “What color is the apple?”")
    _refuse_unknown(words, grammar.vocabulary)
    words = _close(words, grammar)
    if len(words) > SENTENCE_LENGTH:
        raise RequestError(f"A sentence has at most {SENTENCE_LENGTH} words and marks; this one has {len(words)}.")
    return Said(tuple(words), grammar.vocabulary.encode(words), _read(words, grammar))


def _refuse_unknown(words: list[str], vocabulary: Vocabulary) -> None:
    for word in words:
        if word not in vocabulary:
            near = difflib.get_close_matches(word, vocabulary.words[1:], n=_NEAR, cutoff=0.6)
            hint = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else "."
            raise RequestError(f"No word {quote(word)}{hint}", near=near, word=word)


def _close(words: list[str], grammar: Grammar) -> list[str]:
    """A sentence with its mark: the one with which it is the teacher's, or else a question's for a question word."""
    if words[-1] in CLOSING_MARKS:
        return words
    for mark in CLOSING_MARKS:
        if _read([*words, mark], grammar):
            return [*words, mark]
    return [*words, "?" if " ".join(words).startswith(_ASKING) else "."]


def _read(words: list[str], grammar: Grammar) -> Sentence | None:
    try:
        return grammar.read(" ".join(words))
    except WordError:
        return None
