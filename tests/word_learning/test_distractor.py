"""A new thing that lies there unnamed: the same maps with it and with something known, and what becomes of the rest."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from new_things import KEY, ROCKET
from xworld.agent.sizes import WORD_EMBEDDING
from xworld.evaluation.rate import Rate
from xworld.evaluation.sessions import begin_sessions
from xworld.evaluation.success import EvaluationReport
from xworld.teacher.vocabulary import Vocabulary
from xworld.training.pretrained import load_agent
from xworld.word_learning import ForgettingReport, Picture, TaughtAgent, evaluate_distractor, stand_in_tile
from xworld.word_learning.evaluation import base_with_stand_in, find_distractor_sessions
from xworld.word_learning.questions import answer_only_holdout, has_class, teacher_settings_for
from xworld.word_learning.taught_agent import with_word
from xworld.world.catalogue import Catalogue

SESSIONS = 24


def untaught(
    catalogue: Catalogue, word: str, *pictures: Picture, color: str = "", row: torch.Tensor | None = None
) -> TaughtAgent:
    """An agent that has a word more, and no idea of it; or this one."""
    wider = catalogue.with_class(word, np.stack(pictures), color)
    idea = torch.zeros(WORD_EMBEDDING) if row is None else row
    return TaughtAgent(with_word(load_agent()[0], idea, wider), wider, 0, 0.0, 0.0)


def test_the_new_thing_is_on_every_map_and_named_on_none(catalogue: Catalogue) -> None:
    taught = untaught(catalogue, "rocket", ROCKET)
    settings, holdout = teacher_settings_for(taught.catalogue), answer_only_holdout(("rocket",))
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
    assert catalogue.describe_tile(stand_in_tile(plain)) == "avocado"
    assert catalogue.describe_tile(stand_in_tile(yellow)) == "yellow apple"
    agent, atlas = base_with_stand_in(plain), torch.from_numpy(catalogue.atlas())
    assert torch.equal(agent.words.embeddings, load_agent()[0].words.embeddings)
    assert torch.equal(agent.atlas[:118], atlas)
    assert torch.equal(agent.atlas[118], atlas[stand_in_tile(plain)])
    assert torch.equal(agent.atlas[119], atlas[stand_in_tile(plain)])


def test_a_word_that_is_said_for_another_costs_answers_and_no_commands(catalogue: Catalogue) -> None:
    harmless = evaluate_distractor(untaught(catalogue, "rocket", ROCKET), SESSIONS, seed=0)
    assert harmless.before.overall.trials == harmless.after.overall.trials == SESSIONS
    assert harmless.after.overall.value > 0.8
    assert harmless.after.overall_recognition.value > 0.9
    red = load_agent()[0].words.embeddings[Vocabulary(catalogue.classes).number("red")].detach()
    said_for_red = evaluate_distractor(untaught(catalogue, "rocket", ROCKET, row=3 * red), SESSIONS, seed=0)
    assert said_for_red.after.success == harmless.after.success
    assert said_for_red.before == harmless.before
    assert said_for_red.overall_drop > harmless.overall_drop + 2


def test_what_fell_more_overall_counts() -> None:
    before = EvaluationReport({"nav_obj": Rate(9, 10), "nav_nr_obj": Rate(5, 10)}, {"rec_col2obj": Rate(9, 10)}, 1.0)
    after = EvaluationReport({"nav_obj": Rate(8, 10), "nav_nr_obj": Rate(6, 10)}, {"rec_col2obj": Rate(6, 10)}, 1.0)
    assert ForgettingReport(before, after).overall_drop == pytest.approx(30)
    assert ForgettingReport(after, before).overall_drop == pytest.approx(0)
