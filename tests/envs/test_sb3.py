"""Stable-Baselines3 on the native vector environment."""

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from xworld.envs.sb3 import SB3VecEnv
from xworld.envs.single import XWorldEnv
from xworld.envs.vector import XWorldVectorEnv
from xworld.envs.wrappers import VectorAnswer
from xworld.world.checks import SettingsError

WORLDS = 4


def make(**arguments: Any) -> SB3VecEnv:
    return SB3VecEnv(XWorldVectorEnv(WORLDS, **{"observation": "tiles"} | arguments))


def assert_same_info(mine: dict[str, Any], other: dict[str, Any]) -> None:
    """Ours has no texts, and all else that SB3's own has."""
    texts = {"command", "command_type", "question", "question_type", "answer"}
    assert mine.keys() == other.keys() - texts
    for key in mine.keys() - {"terminal_observation", "episode"}:
        assert mine[key] == other[key]
        assert type(mine[key]) is type(other[key])
    if "episode" in mine:
        assert {**mine["episode"], "t": 0} == {**other["episode"], "t": 0}
        for key, part in other["terminal_observation"].items():
            assert np.array_equal(mine["terminal_observation"][key], part)


@pytest.mark.parametrize("observation", ["tiles", "pixels"])
def test_it_equals_sb3s_own_vector_of_single_environments(observation: str) -> None:
    native = make(observation=observation)
    plain = DummyVecEnv([lambda: Monitor(XWorldEnv(observation))] * WORLDS)
    assert native.observation_space == plain.observation_space
    assert native.action_space == plain.action_space
    for envs in (native, plain):
        envs.seed(5)
    seen, expected = native.reset(), plain.reset()
    for turn in range(80):
        assert all(np.array_equal(seen[key], expected[key]) for key in expected)
        actions = native.envs.oracle_actions() if turn % 3 else np.full(WORLDS, turn % 4)  # type: ignore[attr-defined]
        (seen, *ours, infos), (expected, *theirs, other_infos) = native.step(actions), plain.step(actions)
        for mine, other in zip(ours, theirs, strict=True):
            assert mine.dtype == other.dtype
            assert np.array_equal(mine, other)
        for mine, other in zip(infos + native.reset_infos, other_infos + plain.reset_infos, strict=True):
            assert_same_info(mine, other)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("observation", ["pixels", "tiles"])
def test_ppo_learns_a_few_steps(observation: str) -> None:
    model = PPO("MultiInputPolicy", make(observation=observation), n_steps=32, batch_size=32, n_epochs=1, seed=0)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(256)
    after = model.policy.parameters()
    assert any(not np.array_equal(old, new.detach()) for old, new in zip(before, after, strict=True))
    assert len(model.ep_info_buffer or ()) > 0
    assert len(model.ep_success_buffer or ()) > 0


@pytest.mark.filterwarnings("default")
def test_ppo_learns_to_step_and_to_answer() -> None:
    envs = SB3VecEnv(VectorAnswer(XWorldVectorEnv(WORLDS, observation="tiles"), reward=0.5))
    PPO("MultiInputPolicy", envs, n_steps=16, batch_size=32, n_epochs=1, seed=0).learn(64)
    envs.reset()
    *_, infos = envs.step(
        np.stack([np.zeros(WORLDS), [info["answer_id"] for info in envs.reset_infos]], axis=1).astype(int)
    )
    assert all(info["answer_correct"] for info in infos)


@pytest.mark.filterwarnings("default")
def test_a_policy_is_evaluated_without_a_warning() -> None:
    envs = make()
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        monitored = VecMonitor(make(), info_keywords=("is_success",))
    model = PPO("MultiInputPolicy", envs, seed=0)
    results = []
    for each in (envs, monitored):
        each.seed(3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            results.append(evaluate_policy(model, each, n_eval_episodes=8, return_episode_rewards=True))
    assert len(results[0][0]) == 8
    assert results[0][0] == pytest.approx(results[1][0], abs=1e-5)
    assert results[0][1] == results[1][1]


def test_seeds_are_used_once() -> None:
    envs = make()
    envs.seed(1)
    first = envs.reset()["tiles"]
    assert not np.array_equal(envs.reset()["tiles"], first)
    envs.seed(1)
    assert np.array_equal(envs.reset()["tiles"], first)


def test_attributes_and_methods_are_those_of_the_vector() -> None:
    envs = make(render_mode="rgb_array")
    assert envs.get_attr("num_envs", indices=[0, 2]) == [WORLDS] * 2
    assert not envs.has_attr("color")
    envs.env_method("set_progress", 0.0)
    envs.set_attr("color", "red")
    assert envs.get_attr("color") == ["red"] * WORLDS
    envs.reset()
    assert (envs.get_attr("simulator")[0].worlds["size"] == 3).all()
    assert envs.render().shape == (2 * 556, 2 * 448, 3)
    for change in (lambda: envs.env_method("set_progress", 1, indices=0), lambda: envs.set_attr("color", 1, [1])):
        with pytest.raises(SettingsError, match="expected None, because the worlds share one environment"):
            change()
    envs.close()


def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(SettingsError, match="autoreset_mode='NextStep': Stable-Baselines3 expects 'SameStep'"):
        make(autoreset_mode="NextStep")
    envs = make()
    envs.set_options({"map": 1})
    with pytest.raises(SettingsError, match="no option 'map'"):
        envs.reset()


def test_without_stable_baselines3_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['stable_baselines3'] = None; import xworld.envs.sb3"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install stable-baselines3" in result.stderr
