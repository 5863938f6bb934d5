"""Which words can be taught."""

import pytest

from xworld.word_learning.new_object import TeachingError, check_word
from xworld.world.catalogue import Catalogue


@pytest.mark.parametrize(
    ("word", "taught"), [("zebra", "zebra"), ("  Zebra\n", "zebra"), ("x", "x"), ("a" * 20, "a" * 20)]
)
def test_new_words(word: str, taught: str, catalogue: Catalogue) -> None:
    assert check_word(word, catalogue) == taught


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("", "needs a name"),
        ("   ", "needs a name"),
        ("a" * 21, "21 letters is too long"),
        ("two words", "not one word"),
        ("zebra2", "not one word"),
        ("zèbre", "not one word"),
        ("zebra.", "not one word"),
        ("<b>", "not one word"),
        ("apple", "knows already"),
        ("Apple", "knows already"),
        ("north", "knows already"),
        ("between", "knows already"),
        ("red", "knows already"),
        ("the", "knows already"),
        ("nothing", "knows already"),
        ("oov", "knows already"),
        (7, "is no word"),
        (None, "is no word"),
    ],
)
def test_other_words_are_refused_politely(word: str, fault: str, catalogue: Catalogue) -> None:
    with pytest.raises(TeachingError, match=fault):
        check_word(word, catalogue)
