"""It does learn: in a tiny world, from rewards and answers alone. And the test would notice if it did not."""

from unittest import mock

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.evaluation.report import EvaluationReport
from xworld.evaluation.success import evaluate
from xworld.training import losses, ppo
from xworld.training.configs import TINY
from xworld.training.hindsight import UNKNOWN
from xworld.training.trainer import Trainer


def train_and_test(seed: int = 0) -> EvaluationReport:
    trainer = Trainer(TINY, seed=seed)
    while not trainer.finished:
        trainer.train_once()
    return evaluate(trainer.agent, 600, settings=TINY.teacher)


def obeys(report: EvaluationReport) -> bool:
    return report.overall.low > 0.5  # a walk at random with the greedy policy: 0.1


def answers(report: EvaluationReport) -> bool:
    return report.overall_recognition.low > 0.7  # by guessing: 0.15


def test_it_learns_to_obey_and_to_answer() -> None:
    report = train_and_test()
    assert obeys(report), report
    assert answers(report), report


def test_without_rewards_it_does_not_learn_to_obey() -> None:
    original = losses.advantages_and_returns

    def blind(rewards: Tensor, *rest: object) -> tuple[Tensor, Tensor]:
        return original(torch.zeros_like(rewards), *rest)  # type: ignore[arg-type]

    def forget(places: NDArray[np.int64], *_: object) -> NDArray[np.int64]:
        return np.full(places.shape[:2], UNKNOWN)

    with (
        mock.patch.object(ppo, "advantages_and_returns", blind),
        mock.patch.object(ppo, "find_goals", forget),
    ):
        assert not obeys(train_and_test())


def test_with_wrong_answers_it_does_not_learn_to_answer() -> None:
    original = losses.recognition_loss

    def misled(scores: Tensor, told: Tensor) -> Tensor:
        return original(scores, told.roll(1))

    with mock.patch.object(ppo, "recognition_loss", misled):
        assert not answers(train_and_test())


def test_it_knows_nothing_at_first() -> None:
    report = evaluate(Trainer(TINY).agent, 200, settings=TINY.teacher)
    assert report.overall.high < 0.5
    assert report.overall_recognition.high < 0.3
