"""Real clients: Stable-Baselines3 learns on the environment as it is."""

import gymnasium as gym
import numpy as np
import pytest
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
