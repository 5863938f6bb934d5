"""A word is taught by its answers alone, and obeyed; with wrong answers it is not."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from new_things import KEY, ROCKET, STRIPES
from xworld.baselines.registry import make_model
from xworld.evaluation.rate import Rate
from xworld.training.pretrained import load_agent
from xworld.word_learning import TeachingError, TeachingProgress, draw_pixels, evaluate_word, teach, teach_word
from xworld.word_learning.questions import Asked, ask_naming_questions
from xworld.world.catalogue import Catalogue

OBEYED = 0.9


def main_success(rates: dict[str, Rate]) -> float:
    return (rates["nav_obj"] + rates["nav_nr_obj"]).value


def test_a_taught_word_is_obeyed_in_commands_that_no_one_ever_gave(catalogue: Catalogue) -> None:
    agent, _ = load_agent()
    before, reports = agent.words.embeddings.clone(), list[TeachingProgress]()
    taught = teach(agent, catalogue, "Key", KEY, "yellow", report=reports.append)
    assert (taught.word, taught.tile, taught.questions) == ("key", 118, 3000)
    assert [report.progress for report in reports] == pytest.approx([share / 10 for share in range(1, 11)])
    assert reports[0].right == 0.0
    assert reports[-1].right == taught.accuracy > 0.97
    assert reports[-1].asked == taught.questions
    assert torch.equal(agent.words.embeddings, before)
    assert torch.equal(taught.agent.words.embeddings[:-1], before)
    success = evaluate_word(taught, sessions=100)
    assert set(success) == {"nav_obj", "nav_nr_obj", "nav_bw_obj", "nav_col_obj"}
    assert main_success(success) > OBEYED
    assert success["nav_bw_obj"].value > OBEYED


def test_with_answers_in_another_order_it_is_not_obeyed(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask_in_disorder(*arguments: Any) -> Iterator[Asked]:
        generator = np.random.default_rng(0)
        for asked in ask_naming_questions(*arguments):
            yield replace(asked, answers=generator.permutation(asked.answers))

    monkeypatch.setattr(teach_word, "ask_names", ask_in_disorder)
    taught = teach(load_agent()[0], catalogue, "rocket", ROCKET)
    assert taught.accuracy < 0.5
    assert main_success(evaluate_word(taught, sessions=100)) < OBEYED - 0.2


def test_lessons_are_repeated_exactly_and_go_on_from_each_other(catalogue: Catalogue) -> None:
    agent, _ = load_agent()
    first, again = (teach(agent, catalogue, "zebra", STRIPES, seed=5) for _ in range(2))
    assert torch.equal(first.agent.words.embeddings, again.agent.words.embeddings)
    second = teach(first.agent, first.catalogue, "rocket", ROCKET)
    assert second.catalogue.added_classes == ("zebra", "rocket")
    assert second.tile == 119
    assert main_success(evaluate_word(second, sessions=50)) > OBEYED
    assert torch.equal(second.agent.words.embeddings[:-1], first.agent.words.embeddings)
    assert torch.equal(second.base.words.embeddings, first.agent.words.embeddings)


def test_a_class_may_have_several_pictures(catalogue: Catalogue) -> None:
    taught = teach(load_agent()[0], catalogue, "gadget", np.stack([KEY, ROCKET]))
    assert taught.catalogue.tiles == 120
    assert taught.catalogue.describe_tile(119) == "gadget"
    assert main_success(evaluate_word(taught, sessions=50)) > OBEYED


def test_what_cannot_be_taught_is_refused_politely(catalogue: Catalogue) -> None:
    agent, _ = load_agent()
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
    other = make_model("vis_lstm", 105, torch.from_numpy(catalogue.atlas()))
    with pytest.raises(TeachingError, match="only the framework"):
        teach(other, catalogue, "zebra", STRIPES)
