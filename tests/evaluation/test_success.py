"""Test sessions are counted rightly: the oracle in the agent's place succeeds always, one that stands still seldom."""

import math

import pytest
import torch

from scripted import Tourist, let_the_oracle_respond
from xworld.agent.agent import Agent
from xworld.evaluation.intervals import Rate
from xworld.evaluation.success import evaluate
from xworld.learning.bundled import load_agent
from xworld.world.catalogue import Catalogue


@pytest.fixture(scope="module")
def agent() -> Agent:
    return Agent(words=105, atlas=torch.from_numpy(Catalogue.load().atlas()))


def test_the_oracle_is_perfect(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    let_the_oracle_respond(monkeypatch)
    report = evaluate(agent, sessions=400)
    assert report.overall == Rate(400, 400)
    assert report.overall_recognition.value == 1.0
    assert report.path_efficiency == 1.0
    assert all(rate.trials == 100 for rate in report.success.values())
    assert not report.starred
    assert not report.twins


def test_a_new_agent_knows_next_to_nothing(agent: Agent) -> None:
    report = evaluate(agent, sessions=80)
    assert report.overall.trials == 80
    assert report.overall.value < 0.5
    assert report.overall_recognition.value < 0.5


def test_the_agent_of_the_package_does_as_it_always_did() -> None:
    report = evaluate(load_agent()[0], sessions=200)
    assert {name: rate.hits for name, rate in report.success.items()} == {
        "nav_obj": 49, "nav_col_obj": 49, "nav_nr_obj": 48, "nav_bw_obj": 50,
    }  # fmt: skip
    assert report.overall_recognition == Rate(955, 955)
    assert report.path_efficiency == pytest.approx(945 / 941)


def test_any_model_can_be_tested() -> None:
    report = evaluate(Tourist(), sessions=80)
    assert report.success["nav_obj"].value > 0.5  # with at most three objects, the nearest is often the right one
    assert report.overall_recognition.hits == 0


def test_rates() -> None:
    assert Rate(0, 10).low == pytest.approx(0.0, abs=1e-9)
    assert Rate(10, 10).high == pytest.approx(1.0)
    assert all(Rate(0, n).low >= 0 and Rate(n, n).high <= 1 for n in range(1, 2000))
    assert (Rate(1, 2) + Rate(2, 3)) == Rate(3, 5)
    assert math.isnan(Rate(0, 0).value)
    assert math.isnan(Rate(0, 0).low)
