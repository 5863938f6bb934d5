"""Real clients: Stable-Baselines3, TorchRL and Gymnasium's recorder of videos use the environments as they are."""

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import RecordVideo
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

import xworld

assert xworld.__version__


@pytest.mark.filterwarnings("default")
def test_stable_baselines3_checks_the_environment() -> None:
    check_env(gym.make("XWorld-v0", observation="pixels").unwrapped, warn=False)


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
@pytest.mark.parametrize("observation", ["pixels", "tiles"])
def test_torchrl_checks_the_environments(observation: str) -> None:
    pytest.importorskip("torchrl", reason="TorchRL is not installed: pip install torchrl")
    from torchrl.envs import GymWrapper
    from torchrl.envs.utils import check_env_specs

    check_env_specs(GymWrapper(gym.make("XWorld-v0", observation=observation)))
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.DISABLED):  # TorchRL refuses the third
        envs = gym.make_vec("XWorld-v0", num_envs=3, observation=observation, autoreset_mode=mode)
        check_env_specs(GymWrapper(envs))


@pytest.mark.filterwarnings("default")
def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy", reason="MoviePy is not installed: pip install 'xworld[video]'")
    env: Any = RecordVideo(gym.make("XWorld-v0", observation="tiles", render_mode="rgb_array"), str(tmp_path / "new"))
    env.reset(seed=0)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(env.unwrapped.oracle_action())
        over = terminated or truncated
    env.close()
    assert b"ftyp" in (tmp_path / "new" / "rl-video-episode-0.mp4").read_bytes()[:16]
