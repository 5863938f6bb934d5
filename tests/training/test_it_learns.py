"""It does learn: in a tiny world, from rewards and answers alone. And the tests would notice if it did not."""

from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.success import evaluate
from xworld.training import ppo
from xworld.training.configs import TINY
from xworld.training.losses import recognition_loss
from xworld.training.rollout import UNKNOWN_GOAL, estimate_advantages
from xworld.training.trainer import Trainer

CONFIG = replace(TINY, total_steps=14_000, curriculum_fraction=0.0, teacher=replace(TINY.teacher, map_size=(3, 3)))


def train_and_test() -> EvaluationReport:
    trainer = Trainer(CONFIG)
    while not trainer.finished:
        trainer.train_iteration()
    return evaluate(trainer.agent, 300, settings=CONFIG.teacher)


def obeys(report: EvaluationReport) -> bool:
    return report.overall.low > 0.5


def answers(report: EvaluationReport) -> bool:
    return report.overall_recognition.low > 0.5


@pytest.fixture(scope="module")
def misled() -> EvaluationReport:
    """An agent without rewards, and with the answers to other questions."""

    def no_advantages(rewards: Tensor, *rest: object) -> tuple[Tensor, Tensor]:
        return estimate_advantages(torch.zeros_like(rewards), *rest)  # type: ignore[arg-type]

    def no_goals(positions: NDArray[np.int64], *_: object) -> NDArray[np.int64]:
        return np.full(positions.shape[:2], UNKNOWN_GOAL)

    def wrong_answers(scores: Tensor, told: Tensor) -> Tensor:
        return recognition_loss(scores, told.roll(1))

    with (
        mock.patch.object(ppo, "estimate_advantages", no_advantages),
        mock.patch.object(ppo, "find_goals", no_goals),
        mock.patch.object(ppo, "recognition_loss", wrong_answers),
    ):
        return train_and_test()


def test_it_learns_to_obey_and_to_answer() -> None:
    report = train_and_test()
    assert obeys(report), report
    assert answers(report), report


def test_without_rewards_it_does_not_learn_to_obey(misled: EvaluationReport) -> None:
    assert not obeys(misled), misled


def test_with_wrong_answers_it_does_not_learn_to_answer(misled: EvaluationReport) -> None:
    assert not answers(misled), misled


def test_it_knows_nothing_at_first() -> None:
    report = evaluate(Trainer(CONFIG).agent, 200, settings=CONFIG.teacher)
    assert not obeys(report)
    assert not answers(report)
