"""Test sessions are counted rightly: the oracle in the agent's place succeeds always, one that stands still seldom."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from xworld.agent.agent import Agent
from xworld.evaluation import success
from xworld.evaluation.intervals import Rate
from xworld.teacher.oracle import expert_actions
from xworld.teacher.school import School
from xworld.world.catalogue import Catalogue


@pytest.fixture(scope="module")
def agent() -> Agent:
    return Agent(words=105, atlas=torch.from_numpy(Catalogue.load().atlas()))


def test_the_oracle_is_perfect(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def respond(_: Any, school: School, worlds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return expert_actions(school)[worlds], school.lessons["answer"][worlds]

    monkeypatch.setattr(success, "_respond", respond)
    report = success.evaluate(agent, sessions=400)
    assert report.overall == Rate(400, 400)
    assert report.overall_recognition.value == 1.0
    assert report.path_efficiency == 1.0
    assert all(rate.trials == 100 for rate in report.success.values())


def test_a_new_agent_knows_next_to_nothing(agent: Agent) -> None:
    report = success.evaluate(agent, sessions=80)
    assert report.overall.trials == 80
    assert report.overall.value < 0.5
    assert report.overall_recognition.value < 0.5


def test_rates() -> None:
    assert Rate(0, 10).low == pytest.approx(0.0, abs=1e-9)
    assert Rate(10, 10).high == pytest.approx(1.0)
    assert (Rate(1, 2) + Rate(2, 3)) == Rate(3, 5)
    assert math.isnan(Rate(0, 0).value)
    assert math.isnan(Rate(0, 0).low)
