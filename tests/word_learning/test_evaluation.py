"""Nothing known is forgotten, in the same sessions; and a new object on the map that no sentence names."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from new_things import KEY, ROCKET
from xworld.agent.sizes import WORD_EMBEDDING
from xworld.evaluation.rate import Rate
from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.sessions import begin_sessions
from xworld.teacher.settings import TeacherSettings
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import Vocabulary
from xworld.training.pretrained import load_model
from xworld.word_learning import (
    ForgettingReport,
    Picture,
    TaughtAgent,
    evaluate_distractor,
    evaluate_forgetting,
)
from xworld.word_learning.evaluation import base_with_stand_in, find_distractor_sessions
from xworld.word_learning.questions import answer_only_holdout, has_class
from xworld.word_learning.taught_agent import with_word
from xworld.world.catalogue import Catalogue

SESSIONS = 12


def test_nothing_known_is_forgotten(zebra: TaughtAgent) -> None:
    forgetting = evaluate_forgetting(zebra, sessions=100)
    assert forgetting.before.success == forgetting.after.success
    assert forgetting.before.overall.trials == 100
    assert forgetting.largest_drop[1] < 2
    saved = evaluate_forgetting(zebra, sessions=4, before=forgetting.before)
    assert saved.before is forgetting.before


def test_sessions_before_and_after_are_the_same(catalogue: Catalogue) -> None:
    wider, settings = catalogue.with_class("rocket", ROCKET), TeacherSettings(classes=(1, 40))
    simulators = [Simulator(500, each, settings=settings) for each in (catalogue, wider)]
    for simulator in simulators:
        simulator.reset(range(500))
    assert np.array_equal(simulators[0].tiles, simulators[1].tiles)
    assert np.array_equal(simulators[0].commands, simulators[1].commands)
    assert np.array_equal(simulators[0].questions, simulators[1].questions)


def test_drops_are_in_points_and_of_what_was_tried() -> None:
    before = EvaluationReport({"nav_obj": Rate(9, 10), "nav_nr_obj": Rate(5, 10)}, {"rec_col2obj": Rate(0, 0)}, 1.0)
    after = EvaluationReport({"nav_obj": Rate(8, 10), "nav_nr_obj": Rate(6, 10)}, {"rec_col2obj": Rate(0, 0)}, 1.0)
    report = ForgettingReport(before, after)
    assert report.drops == pytest.approx({"nav_obj": 10.0, "nav_nr_obj": -10.0})
    assert report.largest_drop[0] == "nav_obj"


def untaught(
    catalogue: Catalogue, word: str, *pictures: Picture, color: str = "", embedding: torch.Tensor | None = None
) -> TaughtAgent:
    """An agent with one more word, of this embedding or of zeros."""
    extended = catalogue.with_class(word, np.stack(pictures), color)
    embedding = torch.zeros(WORD_EMBEDDING) if embedding is None else embedding
    return TaughtAgent(with_word(load_model()[0], embedding, extended), extended, 0, 0.0, 0.0)


def test_the_new_object_is_on_every_map_and_named_on_none(catalogue: Catalogue) -> None:
    taught = untaught(catalogue, "rocket", ROCKET)
    settings, holdout = TeacherSettings(), answer_only_holdout(("rocket",))
    found = find_distractor_sessions(taught, SESSIONS, 0)
    assert list(found) == list(settings.commands)
    for name, seeds in found.items():
        simulator = begin_sessions(seeds, taught.catalogue, replace(settings, commands=(name,)), holdout)
        assert len(simulator) == SESSIONS // 4
        assert has_class(simulator, 40).all()
        assert not has_class(simulator, catalogue.classes.index("avocado")).any()
        rocket = simulator.grammar.vocabulary.number("rocket")
        assert not (simulator.commands == rocket).any()
        assert not (simulator.questions == rocket).any()


def test_the_stand_in_is_known_and_of_the_same_color(catalogue: Catalogue) -> None:
    plain = untaught(catalogue, "gadget", ROCKET, KEY)
    yellow = untaught(catalogue, "key", KEY, color="yellow")
    assert catalogue.describe_tile(plain.stand_in_tile) == "avocado"
    assert catalogue.describe_tile(yellow.stand_in_tile) == "yellow apple"
    agent, atlas = base_with_stand_in(plain), torch.from_numpy(catalogue.atlas())
    assert torch.equal(agent.words.embeddings, load_model()[0].words.embeddings)
    assert torch.equal(agent.atlas[:118], atlas)
    assert torch.equal(agent.atlas[118], atlas[plain.stand_in_tile])
    assert torch.equal(agent.atlas[119], atlas[plain.stand_in_tile])


def test_a_word_that_replaces_another_costs_answers_and_no_commands(catalogue: Catalogue) -> None:
    harmless = evaluate_distractor(untaught(catalogue, "rocket", ROCKET), SESSIONS)
    assert harmless.before.overall.trials == harmless.after.overall.trials == SESSIONS
    assert harmless.after.overall.value > 0.8
    assert harmless.after.overall_recognition.value > 0.9
    red = load_model()[0].words.embeddings[Vocabulary(catalogue.classes).number("red")].detach()
    replaces_red = evaluate_distractor(untaught(catalogue, "rocket", ROCKET, embedding=3 * red), SESSIONS)
    assert replaces_red.after.success == harmless.after.success
    assert replaces_red.before == harmless.before
    assert replaces_red.overall_drop > harmless.overall_drop + 2


def test_the_larger_overall_drop_counts() -> None:
    before = EvaluationReport({"nav_obj": Rate(9, 10), "nav_nr_obj": Rate(5, 10)}, {"rec_col2obj": Rate(9, 10)}, 1.0)
    after = EvaluationReport({"nav_obj": Rate(8, 10), "nav_nr_obj": Rate(6, 10)}, {"rec_col2obj": Rate(6, 10)}, 1.0)
    assert ForgettingReport(before, after).overall_drop == pytest.approx(30)
    assert ForgettingReport(after, before).overall_drop == pytest.approx(0)
