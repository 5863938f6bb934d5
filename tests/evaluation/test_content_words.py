"""Commands read by their numbers mean what the grammar reads, and are held out where the hold-out says so."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xworld.evaluation.content_words import are_held_out, order_of_nouns, read_meanings
from xworld.teacher.choice import ABSENT
from xworld.teacher.grammar import Grammar, Sentence
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import COMMAND_NAMES
from xworld.world.catalogue import COLORS, Catalogue
from xworld.world.cells import DIRECTIONS

CATALOGUE = Catalogue.load()
GRAMMAR = Grammar(CATALOGUE)
CLASSES = st.sampled_from(CATALOGUE.classes)


def pairs_with(others: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    return st.lists(st.tuples(CLASSES, others), max_size=60).map(tuple)


HOLDOUTS = st.builds(
    Holdout,
    st.just("NC"),
    objects=st.lists(CLASSES, max_size=5).map(tuple),
    object_locations=pairs_with(st.sampled_from(DIRECTIONS)),
    object_colors=pairs_with(st.sampled_from(COLORS)),
    object_pairs=pairs_with(CLASSES),
) | st.builds(
    Holdout.draw,
    st.sampled_from(["Standard", "NC", "NWNav", "NWNavRec"]),
    st.just(CATALOGUE),
    seed=st.integers(0, 1000),
    share=st.sampled_from([0.0, 0.1, 0.4, 0.7]),
)


@cache
def all_sentences() -> list[Sentence]:
    return [sentence for name in COMMAND_NAMES for sentence in GRAMMAR.sentences(name)]


def some_sentences(seed: int) -> list[Sentence]:
    sentences = all_sentences()
    return [sentences[place] for place in np.random.default_rng(seed).integers(len(sentences), size=150)]


@settings(max_examples=100)
@given(holdout=HOLDOUTS, seed=st.integers(0, 10**6))
def test_held_out_is_what_the_hold_out_holds_out(holdout: Holdout, seed: int) -> None:
    sentences = some_sentences(seed)
    numbers = np.stack([GRAMMAR.vocabulary.encode(sentence.tokens) for sentence in sentences])
    expected = [holdout.holds_out(GRAMMAR.read(" ".join(sentence.tokens))) for sentence in sentences]
    assert are_held_out(read_meanings(numbers, GRAMMAR), holdout, GRAMMAR).tolist() == expected


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_content_word_is_read(name: str) -> None:
    sentences = list(GRAMMAR.sentences(name))[::7]
    numbers = np.stack([GRAMMAR.vocabulary.encode(sentence.tokens) for sentence in sentences])
    meanings, order = read_meanings(numbers, GRAMMAR), order_of_nouns(numbers, GRAMMAR)
    kinds = {"object": CATALOGUE.classes, "second": CATALOGUE.classes, "location": DIRECTIONS, "color": COLORS}
    for slot, words in kinds.items():
        places = getattr(meanings, slot).tolist()
        assert [None if place == ABSENT else words[place] for place in places] == [
            getattr(sentence, slot) for sentence in sentences
        ]
    assert order.max() == (2 if name == "nav_bw_obj" else 1)
    assert (np.sort(order, axis=1)[:, -1] == order.max()).all()
