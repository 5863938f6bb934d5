"""The words of the teacher and their numbers. Number 0 is no word: it fills a sentence up to its fixed length."""

import difflib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.world.catalogue import COLORS
from xworld.world.cells import DIRECTIONS

PADDING = 0
SENTENCE_LENGTH = 12
"""The longest sentence, the closing mark counted."""

LOCATIONS = (*DIRECTIONS, "between")
NOTHING = "nothing"
CLOSING_MARKS = (".", "?")

# As the paper lists them. No template uses `block`, `property`, `two`, `three` or `OOV`; `nothing` is only an answer.
GRAMMATICAL_WORDS = tuple(
    """
    ? . and block by can color could destination direction does find go goal grid have identify in is locate
    located location me move name navigate near nothing object of on one OOV please property reach say
    side target tell the thing three to two what where which will you your
    """.split()
)


class WordError(ValueError):
    """A word that the teacher does not know, or a sentence that cannot be one of hers."""


class Vocabulary:
    """All words: the grammatical ones, colors, locations, and one for each class of objects.

    >>> words = Vocabulary(["apple", "cat"])
    >>> words.encode("Please go to the cat.")
    array([34, 13, 44, 41, 66,  2,  0,  0,  0,  0,  0,  0], dtype=int16)
    >>> words.text(words.encode("please go to the cat ."))
    'Please go to the cat.'
    >>> words.number("aple")
    Traceback (most recent call last):
        ...
    xworld.teacher.vocabulary.WordError: no word 'aple'; did you mean 'apple' or 'please'?
    """

    def __init__(self, objects: Sequence[str]) -> None:
        fixed = (*GRAMMATICAL_WORDS, *COLORS, *LOCATIONS)
        if not objects:
            raise WordError("a catalogue without classes gives the teacher nothing to talk about")
        if taken := set(objects) & {word.lower() for word in fixed}:
            raise WordError(f"{', '.join(sorted(taken))}: these words have a meaning already and cannot name a class")
        self.objects = tuple(objects)
        self.words = ("", *fixed, *self.objects)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        """How many words there are, the filler not counted."""
        return len(self.words) - 1

    def __contains__(self, word: str) -> bool:
        return word != "" and word in self._numbers

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)

    def number(self, word: str) -> int:
        """The number of a word; an unknown one is refused, with the nearest words offered."""
        if word in self:
            return self._numbers[word]
        near = difflib.get_close_matches(word, self.words[1:], n=3, cutoff=0.6)
        hint = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
        raise WordError(f"no word {word!r}{hint}")

    def encode(self, sentence: str | Iterable[str]) -> NDArray[np.int16]:
        """(12,) The numbers of a sentence's words, filled up with zeros."""
        tokens = tokenize(sentence) if isinstance(sentence, str) else list(sentence)
        if len(tokens) > SENTENCE_LENGTH:
            raise WordError(f"a sentence has at most {SENTENCE_LENGTH} words and marks; this one has {len(tokens)}")
        numbers = np.full(SENTENCE_LENGTH, PADDING, np.int16)
        numbers[: len(tokens)] = [self.number(token) for token in tokens]
        return numbers

    def decode(self, numbers: ArrayLike) -> list[str]:
        """The words of a numbered sentence."""
        return [self.words[number] for number in np.asarray(numbers).tolist() if number != PADDING]

    def text(self, numbers: ArrayLike) -> str:
        """A numbered sentence as a person writes it; an empty text where nothing is said."""
        return write_out(self.decode(numbers))

    def numbers(self, words: Iterable[str]) -> NDArray[np.int64]:
        """The numbers of some words, in order."""
        return np.array([self.number(word) for word in words], np.int64)


def tokenize(text: str) -> list[str]:
    """Split a sentence into its words and its closing mark.

    >>> tokenize("Where is the red apple?")
    ['where', 'is', 'the', 'red', 'apple', '?']
    """
    for mark in CLOSING_MARKS:
        text = text.replace(mark, f" {mark} ")
    return ["OOV" if token == "OOV" else token.lower() for token in text.split()]


def write_out(tokens: Sequence[str]) -> str:
    """Join words to a sentence: a capital first, the closing mark next to the last word.

    >>> write_out(["go", "to", "the", "apple", "."])
    'Go to the apple.'
    """
    text = " ".join(tokens)
    for mark in CLOSING_MARKS:
        text = text.replace(f" {mark}", mark)
    return text[:1].upper() + text[1:]
