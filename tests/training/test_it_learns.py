"""It does learn: in a tiny world, from rewards and answers alone. And the tests would notice if it did not."""

from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
from torch import Tensor

from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.success import evaluate
from xworld.teacher.simulator import Simulator
from xworld.training import learner
from xworld.training.configs import TINY
from xworld.training.losses import recognition_loss
from xworld.training.trainer import Trainer

CONFIG = replace(
    TINY,
    num_envs=16,
    buffer_size=800,
    learning_rate=2e-3,
    warmup_steps=1_000,
    total_steps=4_096,
    teacher=replace(
        TINY.teacher,
        map_size=(3, 3),
        objects=(1, 1),
        walls=(0, 0),
        classes=(4, 4),
        questions=("rec_loc2obj",),
        nothing_rate=0.0,
    ),
)
"""One of four things on a map of nine cells. In the end all commands and answers are right."""


def train_and_test(trained: bool = True) -> EvaluationReport:
    trainer = Trainer(CONFIG)
    while trained and not trainer.finished:
        trainer.train_iteration()
    return evaluate(trainer.agent, 300, settings=CONFIG.teacher)


def obeys(report: EvaluationReport) -> bool:
    return report.overall.low > 0.8


def answers(report: EvaluationReport) -> bool:
    return report.overall_recognition.low > 0.6


def test_it_learns_to_obey_and_to_answer() -> None:
    report = train_and_test()
    assert obeys(report), report
    assert answers(report), report


def test_without_rewards_and_with_wrong_answers_it_learns_neither() -> None:
    walk = Simulator.step

    def step_for_nothing(simulator: Simulator, *arguments: Any, **options: Any) -> Any:
        rewards, *ends = walk(simulator, *arguments, **options)
        return np.zeros_like(rewards), *ends

    def wrong_answers(scores: Tensor, told: Tensor) -> Tensor:
        return recognition_loss(scores, told.roll(1))

    with (
        mock.patch.object(Simulator, "step", step_for_nothing),
        mock.patch.object(learner, "recognition_loss", wrong_answers),
    ):
        report = train_and_test()
    assert report.overall.high < 0.8, report
    assert report.overall_recognition.high < 0.6, report


def test_it_knows_nothing_at_first() -> None:
    report = train_and_test(trained=False)
    assert not obeys(report)
    assert not answers(report)
