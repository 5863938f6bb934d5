"""Test sessions are counted rightly: the oracle in the agent's place succeeds always, one that stands still seldom."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from scripted import Tourist, let_the_oracle_respond
from xworld.agent.agent import Agent
from xworld.agent.model import Model
from xworld.envs.observation import Observation
from xworld.evaluation import success
from xworld.evaluation.rate import Rate
from xworld.evaluation.sessions import SessionResults, run_sessions
from xworld.evaluation.success import evaluate
from xworld.teacher.grammar import Grammar
from xworld.teacher.simulator import Simulator
from xworld.training.pretrained import load_model
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
    assert not report.nouns
    assert not report.minimal_pairs


@pytest.mark.parametrize("count", [1, 401, 402, 403, 404])
def test_sessions_are_rounded_up_to_as_many_of_each_type(
    count: int, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_the_oracle_respond(monkeypatch)
    each = math.ceil(count / 4)
    assert [rate.trials for rate in evaluate(agent, sessions=count).success.values()] == [each] * 4


def test_steps_at_random_are_lucky_in_a_quarter_of_the_sessions() -> None:
    """The figure beside which docs/results/notes.md puts the paper's weakest baselines."""
    chance = np.random.default_rng(0)

    def step_at_random(observation: Observation) -> NDArray[np.int64]:
        return chance.integers(4, size=len(observation["command"]))

    success = evaluate(step_at_random, sessions=10_000, observation="tiles").overall.value
    assert success == pytest.approx(0.247, abs=0.013)  # three deviations


def test_a_new_agent_knows_next_to_nothing(agent: Agent) -> None:
    report = evaluate(agent, sessions=40)
    assert report.overall.trials == 40
    assert report.overall.value < 0.5
    assert report.overall_recognition.value < 0.5


def test_the_agent_of_the_package_does_as_it_always_did() -> None:
    report = evaluate(load_model()[0], sessions=200)
    assert {name: rate.hits for name, rate in report.success.items()} == {
        "nav_obj": 50, "nav_col_obj": 50, "nav_nr_obj": 50, "nav_bw_obj": 50,
    }  # fmt: skip
    assert report.overall_recognition == Rate(916, 916)
    assert report.path_efficiency == pytest.approx(1024 / 1014)


def test_nouns_are_counted_one_by_one_and_the_worst_comes_first(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that obeys all commands but those with a fig in them."""
    fig = Grammar(Catalogue.load()).vocabulary.numbers(["fig"])[0]

    def fail_with_figs(agent: Model, simulator: Simulator) -> SessionResults:
        results = run_sessions(agent, simulator)
        return replace(results, success=~(results.commands == fig).any(axis=1))

    let_the_oracle_respond(monkeypatch)
    monkeypatch.setattr(success, "run_sessions", fail_with_figs)
    report = evaluate(agent, sessions=800, nouns=True)
    (worst, figs), *others = report.nouns.items()
    assert worst == "fig"
    assert {command: rate.trials for command, rate in figs.items()} == {
        command: rate.trials - rate.hits for command, rate in report.success.items()
    }
    assert not any(rate.hits for rate in figs.values())
    assert len(others) == 39
    # Beside the fig in "between the fig and the cat", the cat is not reached either.
    failed = {command for _, rates in others for command, rate in rates.items() if rate.hits < rate.trials}
    assert failed == {"nav_bw_obj"}
    assert sum(rate.trials for rates in report.nouns.values() for rate in rates.values()) == 600 + 2 * 200


def test_any_model_can_be_tested() -> None:
    report = evaluate(Tourist(), sessions=80)
    assert report.success["nav_obj"].value > 0.5  # with at most three objects, the nearest is often the right one
    assert report.overall_recognition.hits == 0
