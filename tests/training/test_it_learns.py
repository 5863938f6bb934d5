"""It does learn: in a tiny world, from rewards and answers alone. And the tests would notice if it did not."""

from dataclasses import replace
from unittest import mock

import numpy as np
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

CONFIG = replace(TINY, curriculum_fraction=0.0, teacher=replace(TINY.teacher, map_size=(3, 3)))
STEPS_TO_LEARN = 4_500


def train_and_test(steps: int) -> EvaluationReport:
    trainer = Trainer(replace(CONFIG, total_steps=max(steps, 1)))
    while trainer.global_step < steps:
        trainer.train_iteration()
    return evaluate(trainer.agent, 300, settings=CONFIG.teacher)


def obeys(report: EvaluationReport) -> bool:
    return report.overall.low > 0.5


def answers(report: EvaluationReport) -> bool:
    return report.overall_recognition.low > 0.5


def test_it_learns_to_obey_and_to_answer() -> None:
    report = train_and_test(STEPS_TO_LEARN)
    assert obeys(report), report
    assert answers(report), report


def test_without_rewards_and_with_wrong_answers_it_learns_neither() -> None:
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
        report = train_and_test(STEPS_TO_LEARN)
    assert not obeys(report), report
    assert not answers(report), report


def test_it_knows_nothing_at_first() -> None:
    report = train_and_test(0)
    assert not obeys(report)
    assert not answers(report)
