"""Which words can be taught: new ones, in letters that the teacher writes."""

import re

from xworld.teacher.vocabulary import Vocabulary
from xworld.world.catalogue import Catalogue

LONGEST_WORD = 20

_LETTERS = re.compile(r"[a-z]+")


class TeachingError(ValueError):
    """Something that cannot be taught; the message says why, and what can."""


def check_word(word: str, catalogue: Catalogue) -> str:
    """The word as it will be taught: in small letters, without spaces around it; anything else is refused.

    >>> check_word(" Zebra", Catalogue.load())
    'zebra'
    >>> check_word("apple", Catalogue.load())
    Traceback (most recent call last):
        ...
    xworld.word_learning.word.TeachingError: 'apple' is a word that the agent knows already; choose one that it does not
    """
    if not isinstance(word, str):
        raise TeachingError(f"{word!r} is no word: expected a text of letters from a to z")
    clean = word.strip().lower()
    if not clean:
        raise TeachingError("a new thing needs a name: a word of letters from a to z")
    if len(clean) > LONGEST_WORD:
        raise TeachingError(f"a word of {len(clean)} letters is too long; at most {LONGEST_WORD} will do")
    if not _LETTERS.fullmatch(clean):
        raise TeachingError(f"{clean!r} is not one word of letters from a to z, without spaces, digits or marks")
    if clean in {known.lower() for known in Vocabulary(catalogue.classes).words}:
        raise TeachingError(f"{clean!r} is a word that the agent knows already; choose one that it does not")
    return clean
