"""A word is learned from answers alone and understood in commands; with wrong answers it is not."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from new_things import KEY, ROCKET, STRIPES
from xworld.agent.agent import Agent
from xworld.baselines.registry import FRAMEWORKS, make_model
from xworld.evaluation.rate import Rate
from xworld.word_learning import (
    TaughtAgent,
    TeachingError,
    TeachingProgress,
    draw_pixels,
    evaluate_word,
    teach,
    teach_word,
)
from xworld.word_learning.questions import Questions, ask_naming_questions
from xworld.world.catalogue import Catalogue

UNDERSTOOD = 0.9


def main_success(rates: dict[str, Rate]) -> float:
    return (rates["nav_obj"] + rates["nav_nr_obj"]).value


def test_a_taught_word_is_understood_in_commands_that_were_never_heard(agent: Agent, catalogue: Catalogue) -> None:
    before, reports = agent.words.embeddings.clone(), list[TeachingProgress]()
    taught = teach(agent, catalogue, "Key", KEY, "yellow", report=reports.append)
    assert (taught.word, taught.tile, taught.questions) == ("key", 118, 3000)
    assert [report.progress for report in reports] == pytest.approx([share / 10 for share in range(1, 11)])
    assert reports[0].accuracy == 0.0
    assert reports[-1].accuracy == taught.accuracy > 0.97
    assert reports[-1].questions == taught.questions
    assert torch.equal(agent.words.embeddings, before)
    assert torch.equal(taught.agent.words.embeddings[:-1], before)
    success = evaluate_word(taught, sessions=50)
    assert set(success) == {"nav_obj", "nav_nr_obj", "nav_bw_obj", "nav_col_obj"}
    assert main_success(success) > UNDERSTOOD
    assert success["nav_bw_obj"].value > UNDERSTOOD


def test_with_answers_in_random_order_it_is_not_understood(
    agent: Agent, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask_with_random_answers(*arguments: Any) -> Iterator[Questions]:
        generator = np.random.default_rng(0)
        for asked in ask_naming_questions(*arguments):
            asked["answer"] = generator.permutation(asked["answer"])
            yield asked

    monkeypatch.setattr(teach_word, "ask_naming_questions", ask_with_random_answers)
    taught = teach(agent, catalogue, "rocket", ROCKET)
    assert taught.accuracy < 0.5
    assert main_success(evaluate_word(taught, sessions=50)) < UNDERSTOOD - 0.2


def test_teaching_is_reproducible(agent: Agent, catalogue: Catalogue, zebra: TaughtAgent) -> None:
    again = teach(agent, catalogue, "zebra", STRIPES)
    assert torch.equal(zebra.agent.words.embeddings, again.agent.words.embeddings)


def test_a_taught_agent_can_be_taught_another_word(zebra: TaughtAgent, zebra_and_rocket: TaughtAgent) -> None:
    first, second = zebra, zebra_and_rocket
    assert second.catalogue.added_classes == ("zebra", "rocket")
    assert second.tile == 119
    assert main_success(evaluate_word(second, sessions=50)) > UNDERSTOOD
    assert torch.equal(second.agent.words.embeddings[:-1], first.agent.words.embeddings)
    assert torch.equal(second.base.words.embeddings, first.agent.words.embeddings)


def test_a_class_may_have_several_pictures(agent: Agent, catalogue: Catalogue) -> None:
    taught = teach(agent, catalogue, "gadget", np.stack([KEY, ROCKET]))
    assert taught.catalogue.tiles == 120
    assert taught.catalogue.describe_tile(119) == "gadget"
    assert main_success(evaluate_word(taught, sessions=50)) > UNDERSTOOD


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_with_a_planner_and_without_one_a_word_is_taught(name: str, catalogue: Catalogue) -> None:
    torch.manual_seed(0)
    agent = make_model(name, 105, torch.from_numpy(catalogue.atlas()), temperature=5.0)
    taught = teach(agent, catalogue, "zebra", STRIPES)
    assert type(taught.agent) is type(taught.base) is type(agent)
    assert len(taught.agent.words.embeddings) == 106


def test_what_cannot_be_taught_is_refused(agent: Agent, catalogue: Catalogue) -> None:
    with pytest.raises(TeachingError, match="knows already"):
        teach(agent, catalogue, "apple", STRIPES)
    with pytest.raises(TeachingError, match="no color 'purple'"):
        teach(agent, catalogue, "zebra", STRIPES, "purple")
    with pytest.raises(TeachingError, match="looks like the floor"):
        teach(agent, catalogue, "zebra", draw_pixels([""] * 144))
    with pytest.raises(TeachingError, match=r"expected \(icons, 96, 96, 4\)"):
        teach(agent, catalogue, "zebra", STRIPES[..., :3])
    with pytest.raises(TeachingError, match="other words than the catalogue"):
        teach(agent, catalogue.with_class("zebra", STRIPES), "rocket", ROCKET)
    for name in ("no_trans_share", "simple_attention"):
        with pytest.raises(TeachingError, match="only the framework"):
            teach(make_model(name, 105, torch.from_numpy(catalogue.atlas())), catalogue, "zebra", STRIPES)
