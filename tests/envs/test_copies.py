"""Environments can be copied, pickled and run in other processes; a copy lives on as the original does."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

import xworld
from xworld.envs.single import XWorldEnv
from xworld.envs.vector import XWorldVectorEnv

assert xworld.__version__

Copier = Callable[[Any], Any]


def through_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@pytest.fixture(params=[copy.deepcopy, through_pickle], ids=["deepcopy", "pickle"])
def make_copy(request: pytest.FixtureRequest) -> Copier:
    copier: Copier = request.param
    return copier


def life(env: Any, actions: list[Any]) -> list[Any]:
    """What an environment returns and shows while it takes actions; a session that ends is followed by the next."""
    lived = []
    for action in actions:
        lived.append(env.step(action))
        lived.append(env.render() if env.render_mode else None)
        if isinstance(env, XWorldEnv) and (lived[-2][2] or lived[-2][3]):
            lived.append(env.reset())
    return lived


def plain(lived: Any) -> Any:
    """The same without arrays of objects, which Gymnasium's comparison does not know."""
    if isinstance(lived, dict):
        return {key: plain(value) for key, value in lived.items()}
    if isinstance(lived, list | tuple):
        return [plain(value) for value in lived]
    return plain(lived.tolist()) if isinstance(lived, np.ndarray) and lived.dtype == object else lived


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("render_mode", [None, "rgb_array", "human", "ansi"])
def test_a_copy_of_one_world_lives_on_as_the_original(
    render_mode: str | None, begun: bool, make_copy: Copier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("xworld.envs.single.RENDER_FPS", 0)  # a picture need not stay in the window
    env = XWorldEnv(observation="tiles", render_mode=render_mode)
    if begun:
        env.reset(seed=3)
        life(env, [0, 3])
    copied = make_copy(env)
    if not begun:
        assert data_equivalence(env.reset(seed=3), copied.reset(seed=3))
    actions = np.random.default_rng(0).integers(0, 4, size=12).tolist()
    assert data_equivalence(life(env, actions), life(copied, actions))
    env.close()
    assert copied.reset(seed=4)[1]["command"]
    copied.close()


@pytest.mark.parametrize("observation", ["tiles", "pixels"])
@pytest.mark.parametrize("render_mode", [None, "rgb_array"])
def test_a_copy_of_many_worlds_lives_on_as_the_original(
    observation: str, render_mode: str | None, make_copy: Copier
) -> None:
    envs = XWorldVectorEnv(6, observation=observation, threads=2, render_mode=render_mode)
    envs.set_progress(0)  # small maps, where sessions end soon
    envs.reset(seed=0)
    actions = list(np.random.default_rng(0).integers(0, 4, size=(16, 6)))
    life(envs, actions[:5])
    copied = make_copy(envs)
    ours, theirs = life(envs, actions[5:]), life(copied, actions[5:])
    assert any("final_obs" in info for *_, info in ours[::2])
    assert data_equivalence(plain(ours), plain(theirs))


def test_a_copy_goes_its_own_way(make_copy: Copier) -> None:
    env = XWorldEnv(observation="tiles", render_mode="rgb_array")
    env.reset(seed=0)
    before = env.render()
    copied = make_copy(env)
    life(copied, [0, 1, 2, 3])
    np.testing.assert_array_equal(env.render(), before)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("context", [None, "spawn"])
def test_single_worlds_run_in_gymnasiums_processes(context: str | None) -> None:
    apart = gym.make_vec(
        "XWorld-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": context},
        observation="tiles",
    )
    together = gym.make_vec("XWorld-v0", num_envs=2, vectorization_mode="sync", observation="tiles")
    np.testing.assert_equal(apart.reset(seed=0)[0], together.reset(seed=0)[0])
    for actions in np.random.default_rng(0).integers(0, 4, size=(5, 2)):
        seen, expected = apart.step(actions), together.step(actions)
        np.testing.assert_equal(seen[:4], expected[:4])
    apart.close()
    together.close()
