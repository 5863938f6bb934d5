"""Real clients: Stable-Baselines3, TorchRL, and Gymnasium's processes, wrappers and videos, as they are."""

from itertools import cycle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as vector_wrappers
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

import xworld
from xworld.envs.registration import ENVIRONMENTS

assert xworld.__version__

MODES = list(AutoresetMode)


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("observation", ["pixels", "tiles"])
@pytest.mark.filterwarnings("ignore:Your observation tiles has an unconventional shape")
def test_stable_baselines3_checks_the_environments(name: str, observation: str) -> None:
    check_env(gym.make(name, observation=observation).unwrapped)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("observation", ["pixels", "tiles"])
def test_stable_baselines3_ppo_runs_a_few_steps(observation: str) -> None:
    envs = make_vec_env("XWorld-v0", n_envs=2, seed=0, env_kwargs={"observation": observation})
    model = PPO("MultiInputPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, seed=0)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(128)
    assert model.num_timesteps >= 128
    assert any(
        not np.array_equal(old, new.detach()) for old, new in zip(before, model.policy.parameters(), strict=True)
    )
    assert len(model.ep_info_buffer or ()) > 0


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("observation", ["pixels", "tiles"])
def test_torchrl_checks_the_environments(name: str, observation: str) -> None:
    pytest.importorskip("torchrl", reason="TorchRL is not installed: pip install torchrl")
    from torchrl.envs import GymWrapper
    from torchrl.envs.utils import check_env_specs

    check_env_specs(GymWrapper(gym.make(name, observation=observation)))
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.DISABLED):  # TorchRL refuses the third
        envs = gym.make_vec(name, num_envs=3, observation=observation, autoreset_mode=mode)
        check_env_specs(GymWrapper(envs))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(("name", "mode"), list(zip(ENVIRONMENTS, cycle(MODES))))
def test_gymnasiums_processes_tell_what_the_native_vector_tells(name: str, mode: AutoresetMode) -> None:
    native = gym.make_vec(name, num_envs=2, observation="tiles", autoreset_mode=mode)
    settings: dict[str, Any] = {"vectorization_mode": "async", "vector_kwargs": {"autoreset_mode": mode}}
    apart = gym.make_vec(name, num_envs=2, observation="tiles", **settings)
    np.testing.assert_equal(native.reset(seed=0)[0], apart.reset(seed=0)[0])
    over = False
    while not over:
        actions = native.unwrapped.oracle_actions()  # type: ignore[attr-defined]
        mine, other = native.step(actions), apart.step(actions)
        np.testing.assert_equal(mine[:4], other[:4])
        over = bool((mine[2] | mine[3]).any())
    apart.close()


SINGLE_WRAPPERS: dict[str, Any] = {
    "flat": wrappers.FlattenObservation,
    "filtered": lambda env: wrappers.FilterObservation(env, ["tiles", "command"]),
    "stacked": lambda env: wrappers.FrameStackObservation(env, 3),
    "delayed": lambda env: wrappers.DelayObservation(env, 2),
    "timed": lambda env: wrappers.TimeAwareObservation(wrappers.TimeLimit(env, 5)),
    "rendered": lambda env: wrappers.AddRenderObservation(env, render_only=False),
    "normalized": lambda env: wrappers.NormalizeObservation(wrappers.FlattenObservation(env)),
    "repeated": lambda env: wrappers.RepeatAction(env, 2),
    "sticky": lambda env: wrappers.StickyAction(env, 0.3),
    "on and on": wrappers.Autoreset,
}


@pytest.mark.parametrize("wrap", SINGLE_WRAPPERS.values(), ids=SINGLE_WRAPPERS)
def test_gymnasiums_wrappers_see_what_their_spaces_say(wrap: Any) -> None:
    env = wrap(gym.make("XWorld-v0", observation="tiles", render_mode="rgb_array"))
    env.action_space.seed(0)
    observation, _ = env.reset(seed=0)
    for _ in range(60):
        assert observation in env.observation_space
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if (terminated or truncated) and not isinstance(env, wrappers.Autoreset):
            observation, _ = env.reset()


@pytest.mark.filterwarnings("default")
def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="MoviePy is not installed: pip install 'xworld[video]'")
    made = gym.make("XWorld-v0", observation="tiles", render_mode="rgb_array")
    env: Any = wrappers.RecordVideo(made, str(tmp_path / "new"))
    env.reset(seed=0)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.unwrapped.oracle_action())
        over = terminated or truncated
    env.close()
    assert_is_video(tmp_path / "new" / "rl-video-episode-0.mp4")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("mode", MODES)
def test_gymnasium_records_a_video_of_many_worlds(mode: AutoresetMode, tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="MoviePy is not installed: pip install 'xworld[video]'")
    made = gym.make_vec("XWorld-v0", num_envs=3, observation="tiles", render_mode="rgb_array", autoreset_mode=mode)
    envs: Any = vector_wrappers.RecordVideo(made, str(tmp_path / "new"), video_length=2)
    envs.reset(seed=5)  # no session ends
    for _ in range(3):
        envs.step(np.zeros(3, np.int64))
    envs.close()
    assert_is_video(tmp_path / "new" / "rl-video-episode-0.mp4")


def assert_is_video(path: Path) -> None:
    assert b"ftyp" in path.read_bytes()[:16]
