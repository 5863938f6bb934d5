"""The teacher's words and their numbers. Number 0 is no word: it pads sentences to a fixed length."""

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.world.catalogue import COLORS
from xworld.world.cells import DIRECTIONS

PADDING = 0
SENTENCE_LENGTH = 12
"""The length of the longest sentence, including the closing mark."""

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
FIXED_WORDS = (*GRAMMATICAL_WORDS, *COLORS, *LOCATIONS)
"""The words that there are whatever the objects."""


class WordError(ValueError):
    """A word or a sentence that the teacher does not have."""


class Vocabulary:
    """All words: the grammatical ones, colors, locations, and one for each class of objects.

    `later` words come last, so that all others keep their numbers: those that types of your own bring, then the classes
    that were added to a catalogue.

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

    def __init__(self, objects: Sequence[str], later: Sequence[str] = ()) -> None:
        if not objects:
            raise WordError("a catalogue without classes: expected at least one")
        named = Counter((*objects, *later, *{word.lower() for word in FIXED_WORDS}))
        if taken := [word for word, times in named.items() if times > 1]:
            raise WordError(
                f"{', '.join(sorted(taken))}: these words already have a meaning and cannot name a class or a color"
            )
        self.objects = tuple(objects)
        self.words = ("", *FIXED_WORDS, *self.objects, *later)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        """The number of words, without the padding."""
        return len(self.words) - 1

    def __contains__(self, word: str) -> bool:
        return word != "" and word in self._numbers

    def number(self, word: str) -> int:
        """The number of a word; the error for an unknown word suggests similar ones."""
        if word in self:
            return self._numbers[word]
        near = difflib.get_close_matches(word, self.words[1:], n=3, cutoff=0.6)
        hint = f"; did you mean {' or '.join(repr(other) for other in near)}?" if near else ""
        raise WordError(f"no word {word!r}{hint}")

    def encode(self, sentence: str | Iterable[str]) -> NDArray[np.int16]:
        """(12,) The word numbers of a sentence, padded with zeros."""
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
        """A numbered sentence as a person writes it; empty if there is none."""
        return write_out(self.decode(numbers))

    def numbers(self, words: Iterable[str]) -> NDArray[np.int64]:
        """The numbers of several words, in order."""
        return np.array([self.number(word) for word in words], np.int64)


def tokenize(text: str) -> list[str]:
    """Split a sentence into words and closing mark."""
    for mark in CLOSING_MARKS:
        text = text.replace(mark, f" {mark} ")
    return ["OOV" if token == "OOV" else token.lower() for token in text.split()]


def write_out(tokens: Sequence[str]) -> str:
    """Join words to a sentence that starts with a capital letter."""
    text = " ".join(tokens)
    for mark in CLOSING_MARKS:
        text = text.replace(f" {mark}", mark)
    return text[:1].upper() + text[1:]
