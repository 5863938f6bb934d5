"""The new word is an answer, and nothing but an answer."""

import numpy as np

from new_things import ROCKET, STRIPES
from xworld.teacher.grammar import Grammar
from xworld.teacher.simulator import Simulator
from xworld.word_learning.questions import NAMING, answer_only_holdout, ask_naming_questions, has_class
from xworld.world.catalogue import Catalogue


def test_the_words_taught_are_in_no_question_and_each_kind_has_its_share(catalogue: Catalogue) -> None:
    taught_twice = catalogue.with_class("zebra", STRIPES).with_class("rocket", ROCKET)
    grammar = Grammar(taught_twice)
    zebra, rocket = grammar.vocabulary.numbers(["zebra", "rocket"])
    batches = list(ask_naming_questions(taught_twice, 0, (7, 90, 600)))
    assert [len(asked) for asked in batches] == [7, 90, 600]
    for asked in batches:
        assert not np.isin(asked["question"], [zebra, rocket]).any()
        shown = (asked["tiles"] == taught_twice.tiles - 1).any(axis=(1, 2))
        is_name = asked["answer"] == rocket
        assert shown[is_name].all()
        named, beside, without = (int(kind.sum()) for kind in (is_name, shown & ~is_name, ~shown))
        assert named == beside == round(len(asked) / 6)
        assert without == len(asked) - 2 * named
        types = np.array([grammar.read(grammar.vocabulary.text(question)).subtask for question in asked["question"]])
        assert set(types[is_name]) <= set(NAMING)
    for kind in (shown & ~is_name, ~shown):
        for_names = np.isin(types[kind], NAMING)
        assert 0.5 < for_names.mean() < 0.9
    colors = grammar.vocabulary.numbers(taught_twice.colors)
    assert np.isin(asked["answer"][shown], colors).any()


def test_a_seed_fixes_the_questions(catalogue: Catalogue) -> None:
    extended = catalogue.with_class("zebra", STRIPES)
    first, again, other = (next(ask_naming_questions(extended, seed, (60,))) for seed in (3, 3, 4))
    assert np.array_equal(first, again)
    assert not np.array_equal(first["tiles"], other["tiles"])


def test_no_command_names_it_and_it_does_appear(catalogue: Catalogue) -> None:
    extended = catalogue.with_class("zebra", STRIPES)
    simulator = Simulator(4096, extended, answer_only_holdout(("zebra",)))
    simulator.reset(range(4096))
    zebra = simulator.grammar.vocabulary.number("zebra")
    assert has_class(simulator, 40).sum() > 50
    assert not (simulator.commands == zebra).any()
