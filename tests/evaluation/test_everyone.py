"""One call tests everyone in the same sessions: agents, baselines, Stable-Baselines3, functions, the command line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from stable_baselines3 import PPO

import xworld
from blind import save_blind_agent
from xworld.baselines.registry import MODEL_NAMES, make_model
from xworld.cli.main import main
from xworld.evaluation.report import EvaluationReport

SESSIONS = 200
SHORT = xworld.TeacherSettings(map_size=(3, 3), objects=(2, 2), walls=(0, 0), commands=("nav_obj",))
"""Sessions of at most 12 steps, because the baselines are large."""


def evaluate(policy: Any, sessions: int = SESSIONS, settings: xworld.TeacherSettings | None = None) -> EvaluationReport:
    return xworld.evaluate(policy, sessions, settings=settings, minimal_pairs=True, observation="tiles")


@pytest.fixture(scope="module")
def agent() -> xworld.TrainedAgent:
    return xworld.load_agent()


def test_the_command_line_measures_the_same(tmp_path: Path) -> None:
    save_blind_agent(tmp_path / "blind")
    arguments = ["--sessions", str(SESSIONS), "--minimal-pairs", "--json", str(tmp_path / "figures.json")]
    assert main(["evaluate", str(tmp_path / "blind"), *arguments]) == 0
    report = evaluate(xworld.load_agent(tmp_path / "blind"))
    assert report.overall.hits < report.overall.trials  # some fail, and they are the same
    assert json.loads((tmp_path / "figures.json").read_text()) == report.as_json()


def everyone(agent: xworld.TrainedAgent) -> Iterator[Any]:
    """A function that acts like the agent, the other models, and a model of Stable-Baselines3."""
    yield lambda observation: agent.act(observation)
    torch.manual_seed(0)
    for name in MODEL_NAMES[1:]:
        yield make_model(name, len(agent.vocabulary.words), agent.model.atlas).eval()
    yield PPO("MultiInputPolicy", xworld.XWorldEnv(observation="tiles"), n_steps=16, batch_size=16, seed=0).learn(16)


def test_all_are_tested_in_the_same_sessions_and_pairs(agent: xworld.TrainedAgent) -> None:
    best = evaluate(agent, 12, SHORT)
    function, *untrained = (evaluate(policy, 12, SHORT) for policy in everyone(agent))
    assert (function.success, function.minimal_pairs) == (best.success, best.minimal_pairs)
    assert len(untrained) == 7
    for report in untrained:
        assert report.overall.hits < best.overall.hits
        assert report.overall.trials == best.overall.trials == 12
        assert report.minimal_pairs["nav_obj"].told_apart.trials == 1
