"""Words and their numbers."""

import numpy as np
import pytest

from golden import paper
from xworld.teacher.grammar import Grammar
from xworld.teacher.vocabulary import Vocabulary, WordError, tokenize, write_out


def test_there_are_104_words_and_a_filler(grammar: Grammar) -> None:
    vocabulary = grammar.vocabulary
    assert len(vocabulary) == paper.WORDS
    assert len(set(vocabulary.words)) == paper.WORDS + 1
    assert "" not in vocabulary


def test_function_words_keep_their_numbers_whatever_the_classes(grammar: Grammar) -> None:
    other = Vocabulary(["zebra"])
    assert other.words[:65] == grammar.vocabulary.words[:65]
    assert len(other) == 65


def test_encoding_is_padded_and_undone(grammar: Grammar) -> None:
    numbers = grammar.vocabulary.encode("Where is the red apple?")
    assert numbers.shape == (12,)
    assert (numbers[6:] == 0).all()
    assert grammar.vocabulary.text(numbers) == "Where is the red apple?"
    assert grammar.vocabulary.text(np.zeros(12)) == ""


def test_too_long_a_sentence_is_refused(grammar: Grammar) -> None:
    with pytest.raises(WordError, match="at most 12 words and marks; this one has 13"):
        grammar.vocabulary.encode("the " * 13)


@pytest.mark.parametrize("objects", [["green"], ["two"], ["north"], ["oov"]])
def test_a_class_cannot_take_another_words_place(objects: list[str]) -> None:
    with pytest.raises(WordError, match=f"{objects[0]}.*cannot name a class"):
        Vocabulary(objects)


def test_an_empty_catalogue_is_refused() -> None:
    with pytest.raises(WordError, match="without classes"):
        Vocabulary([])


def test_tokenize_and_write_out() -> None:
    assert tokenize("OOV  Go.") == ["OOV", "go", "."]
    assert write_out([]) == ""
