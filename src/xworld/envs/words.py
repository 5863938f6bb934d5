"""A space of words, for actions that are text."""

from collections.abc import Sequence
from typing import Any

from gymnasium import Space


class Words(Space[str]):
    """Texts of one word from each list. A last word may be left out if its list has the empty word.

    >>> words = Words(("up", "down"), ("", "cat"))
    >>> "down cat" in words, "up" in words, "cat" in words
    (True, True, False)
    >>> words.numbers("down")
    [1, 0]
    """

    def __init__(self, *lists: Sequence[str], seed: int | None = None) -> None:
        super().__init__(dtype=str, seed=seed)
        self._lists = lists

    @property
    def is_np_flattenable(self) -> bool:
        """Texts are no arrays."""
        return False

    def numbers(self, text: object) -> list[int] | None:
        """The place of each word in its list; None for what is not in the space."""
        given = text.split() if isinstance(text, str) else []
        given += [""] * (len(self._lists) - len(given))
        if len(given) > len(self._lists) or any(word not in words for word, words in zip(given, self._lists)):
            return None
        return [words.index(word) for word, words in zip(given, self._lists)]

    def contains(self, x: Any) -> bool:
        """Whether this is a text of such words."""
        return self.numbers(x) is not None

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A random text. Masks and probabilities are not supported."""
        if mask is not None or probability is not None:
            raise NotImplementedError("words are drawn without masks and probabilities")
        return " ".join(words[int(self.np_random.integers(len(words)))] for words in self._lists).strip()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and self._lists == other._lists

    def __repr__(self) -> str:
        return f"Words({', '.join(map(repr, self._lists))})"
