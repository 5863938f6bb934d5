"""From typed text to a sentence of the teacher's words: closing mark, kind, and what is wrong with it."""

import difflib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xworld.demo.errors import RequestError, quote
from xworld.teacher.grammar import Grammar, Sentence
from xworld.teacher.settings import COMMAND_NAMES
from xworld.teacher.vocabulary import CLOSING_MARKS, SENTENCE_LENGTH, Vocabulary, WordError, tokenize

_QUESTION_STARTS = ("what", "where", "which", "in which", "on which")
_IGNORED = str.maketrans(dict.fromkeys(",;:\"'\u201c\u201d\u2018\u2019", " ") | {"!": "."})


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence that the agent can read."""

    words: tuple[str, ...]
    word_ids: NDArray[np.int16]
    """(12,)"""
    sentence: Sentence | None
    """Its meaning, if it is one of the teacher's sentences."""

    @property
    def is_command(self) -> bool:
        """Decided by the teacher's grammar, or by the closing mark if the sentence is not hers."""
        return self.sentence.subtask in COMMAND_NAMES if self.sentence else self.words[-1] == "."


def parse_sentence(text: str, grammar: Grammar) -> ParsedSentence:
    """Parse what a person typed.

    >>> from xworld.world.catalogue import Catalogue
    >>> parsed = parse_sentence("could you please go to the dog", Grammar(Catalogue.load()))
    >>> parsed.words[-2:], parsed.sentence.subtask
    (('dog', '?'), 'nav_obj')
    """
    words = tokenize(text.translate(_IGNORED))
    if not set(words) - set(CLOSING_MARKS):
        noun = grammar.catalogue.classes[0]
        raise RequestError(f"The sentence is empty; try “Go to the {noun}.” or “What color is the {noun}?”")
    _refuse_unknown(words, grammar.vocabulary)
    words = _close(words, grammar)
    if len(words) > SENTENCE_LENGTH:
        raise RequestError(f"A sentence has at most {SENTENCE_LENGTH} words and marks; this one has {len(words)}.")
    return ParsedSentence(tuple(words), grammar.vocabulary.encode(words), _read(words, grammar))


def _refuse_unknown(words: list[str], vocabulary: Vocabulary) -> None:
    for word in words:
        if word not in vocabulary:
            near = difflib.get_close_matches(word, vocabulary.words[1:], n=3)
            hint = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else "."
            raise RequestError(f"No word {quote(word)}{hint}", near=near, word=word)


def _close(words: list[str], grammar: Grammar) -> list[str]:
    """Add a missing closing mark: the one of the teacher's sentence, or else the one that fits the first word."""
    if words[-1] in CLOSING_MARKS:
        return words
    for mark in CLOSING_MARKS:
        if _read([*words, mark], grammar):
            return [*words, mark]
    return [*words, "?" if " ".join(words).startswith(_QUESTION_STARTS) else "."]


def _read(words: list[str], grammar: Grammar) -> Sentence | None:
    try:
        return grammar.read(" ".join(words))
    except WordError:
        return None
