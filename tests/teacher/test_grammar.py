"""The language is the paper's to the last sentence: enumerated here, not multiplied."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden import paper
from xworld.teacher.commands import COMMANDS
from xworld.teacher.grammar import Grammar, Sentence, subtasks
from xworld.teacher.questions import QUESTIONS
from xworld.teacher.subtask import Subtask
from xworld.teacher.vocabulary import WordError, write_out
from xworld.world.catalogue import Catalogue

LANGUAGE = Grammar(Catalogue.load())


def test_every_type_has_the_papers_count(everything: list[Sentence]) -> None:
    assert Counter(sentence.subtask for sentence in everything) == {
        name: count for name, (_, _, count) in paper.SENTENCES.items()
    }


def test_totals(everything: list[Sentence]) -> None:
    commands = {command.name for command in COMMANDS}
    said = Counter(sentence.subtask in commands for sentence in everything)
    assert (said[True], said[False], len(everything)) == (paper.NAVIGATION, paper.RECOGNITION, paper.ALL)


def test_no_two_sentences_are_alike_across_types(everything: list[Sentence]) -> None:
    assert len({sentence.tokens for sentence in everything}) == paper.ALL


def test_lengths(everything: list[Sentence]) -> None:
    lengths = {len(sentence.tokens) for sentence in everything}
    assert (min(lengths), max(lengths)) == paper.LENGTHS


def test_words(everything: list[Sentence]) -> None:
    spoken = {token for sentence in everything for token in sentence.tokens}
    silent = {"nothing", "OOV", "block", "property", "two", "three"}
    assert len(LANGUAGE.vocabulary) == paper.WORDS
    assert spoken == set(LANGUAGE.vocabulary.words) - {""} - silent


@pytest.mark.parametrize("subtask", subtasks(), ids=lambda subtask: subtask.name)
def test_forms_and_fillings(subtask: Subtask) -> None:
    forms, fillings, _ = paper.SENTENCES[subtask.name]
    assert (len(subtask.forms), len(LANGUAGE.fillings(subtask))) == (forms, fillings)


@pytest.mark.parametrize(("text", "subtask"), paper.EXAMPLES.items())
def test_the_papers_examples_are_sentences_of_ours(text: str, subtask: str) -> None:
    assert LANGUAGE.read(text).subtask == subtask


@given(st.sampled_from([subtask.name for subtask in subtasks()]), st.integers(0, 2**32))
def test_reading_undoes_writing(name: str, seed: int) -> None:
    sentence = LANGUAGE.sample(name, np.random.default_rng(seed))
    assert LANGUAGE.read(write_out(sentence.tokens)) == sentence


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Please go to the aple.", "no word 'aple'; did you mean 'apple'"),
        ("Apple the to go please.", "no sentence"),
        ("Go to the blue apple.", "no sentence"),  # there is no blue apple in the catalogue
        ("", "no sentence"),
    ],
)
def test_what_is_no_sentence_is_refused(text: str, message: str) -> None:
    with pytest.raises(WordError, match=message):
        LANGUAGE.read(text)


def test_phrasebook_says_the_forms_short_ones_first() -> None:
    book = LANGUAGE.phrasebook[0]
    for index, subtask in enumerate(subtasks()):
        forms = book["forms"][book["first"][index] :][: len(subtask.forms)]
        lengths = (forms != 0).sum(axis=1)
        assert (np.diff(lengths) >= 0).all()
        for bound in range(13):
            expected = (lengths <= max(bound, lengths.min())).sum()
            assert book["usable"][index, bound] == expected


def test_every_kernel_belongs_to_its_subtask() -> None:
    for registry in (COMMANDS, QUESTIONS):
        for name, propose in zip(registry.names, registry.proposers, strict=True):
            assert propose.__module__.endswith(f".{name}")
