"""Gymnasium's autoreset modes: when the next session begins differs, the sessions do not."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import (
    ClipReward,
    DictInfoToList,
    FilterObservation,
    FlattenObservation,
    NormalizeObservation,
    NormalizeReward,
    RecordEpisodeStatistics,
)
from numpy.typing import NDArray

from xworld.envs.observation import Observation
from xworld.envs.single import XWorldEnv
from xworld.envs.vector import XWorldVectorEnv
from xworld.world.checks import SettingsError

MODES = list(AutoresetMode)
WORLDS = 5


def make_pair(mode: AutoresetMode) -> tuple[Any, Any]:
    """The native vector, and Gymnasium's own over single environments."""
    native = gym.make_vec("XWorld-v0", num_envs=WORLDS, observation="tiles", autoreset_mode=mode)
    plain = gym.make_vec(
        "XWorld-v0",
        num_envs=WORLDS,
        observation="tiles",
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
    )
    return native, plain


def begin_next(envs: Any, terminated: Any, truncated: Any) -> None:
    """Begin the next sessions by hand where the mode asks for it."""
    done = terminated | truncated
    if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and done.any():
        envs.reset(options={"reset_mask": done.copy()})


def assert_same(native: Any, plain: Any) -> None:
    """Whatever the native one tells, the other tells too; the texts of single environments are not in a vector."""
    if isinstance(native, dict):
        for key in native:
            assert_same(native[key], plain[key])
    elif isinstance(native, list):
        for mine, other in zip(native, plain, strict=True):
            assert_same(mine, other)
    elif isinstance(native, np.ndarray) and native.dtype == object:
        assert_same(native.tolist(), plain.tolist())
    else:
        np.testing.assert_array_equal(native, plain)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_steps_and_infos_are_those_of_gymnasiums_vector(mode: AutoresetMode) -> None:
    native, plain = make_pair(mode)
    assert_same(list(native.reset(seed=11)), list(plain.reset(seed=11)))
    native.action_space.seed(0)
    ended = 0
    for _ in range(100):
        actions = native.action_space.sample()
        mine, other = native.step(actions), plain.step(actions)
        assert_same(list(mine), list(other))
        ended += (mine[2] | mine[3]).sum()
        begin_next(native, *mine[2:4])
        begin_next(plain, *other[2:4])
    assert ended > WORLDS


def live(mode: AutoresetMode, steps: int) -> list[list[tuple[int, float, int]]]:
    """The sessions of each world that the oracle finishes: type of command, return and length."""
    envs = XWorldVectorEnv(WORLDS, observation="tiles", autoreset_mode=mode)
    envs.reset(seed=7)
    sessions: list[list[tuple[int, float, int]]] = [[] for _ in range(WORLDS)]
    for _ in range(steps):
        *_, terminated, truncated, info = envs.step(envs.oracle_actions())
        results = info.get("final_info", info)
        for world in np.flatnonzero(terminated | truncated):
            assert results["_session_return"][world]
            keys = ("command_type_id", "session_return", "session_length")
            sessions[world].append(tuple(results[key][world].item() for key in keys))
        begin_next(envs, terminated, truncated)
    return sessions


def live_alone(seed: int, count: int) -> list[tuple[int, float, int]]:
    env = XWorldEnv(observation="tiles")
    env.reset(seed=seed)
    sessions: list[tuple[int, float, int]] = []
    while len(sessions) < count:
        *_, terminated, truncated, info = env.step(env.oracle_action())
        if terminated or truncated:
            sessions.append((info["command_type_id"], info["session_return"], info["session_length"]))
            env.reset()
    return sessions


@pytest.mark.parametrize("mode", MODES)
def test_worlds_go_through_the_sessions_of_single_environments(mode: AutoresetMode) -> None:
    for world, sessions in enumerate(live(mode, steps=80)):
        assert len(sessions) > 5
        assert sessions == live_alone(7 + world, len(sessions))


def walk_until_one_ends(envs: XWorldVectorEnv) -> tuple[Observation, NDArray[np.bool_], dict[str, Any]]:
    """Step to the targets until the first sessions end: the last observation, which ended, and the info."""
    envs.reset(seed=0)
    done = np.zeros(WORLDS, np.bool_)
    while not done.any():
        observation, _, terminated, truncated, info = envs.step(envs.oracle_actions())
        done = terminated | truncated
    return observation, done, info


def test_the_step_after_a_session_ignores_the_action_and_begins_the_next() -> None:
    envs = XWorldVectorEnv(WORLDS, observation="tiles", autoreset_mode="NextStep")
    last, done, info = walk_until_one_ends(envs)
    assert "final_obs" not in info
    assert info["_is_success"].tolist() == done.tolist()
    first, rewards, terminated, truncated, _ = envs.step(np.zeros(WORLDS, np.int64))
    assert (rewards[done] == 0).all()
    assert (rewards[~done] != 0).all()
    assert not (terminated | truncated)[done].any()
    assert (first["command"] != last["command"])[done].any(axis=1).all()
    assert (envs.simulator.sessions["steps"][done] == 0).all()


def test_without_autoreset_a_world_that_ended_waits() -> None:
    envs = XWorldVectorEnv(WORLDS, observation="tiles", autoreset_mode="Disabled")
    _, done, _ = walk_until_one_ends(envs)
    for _ in range(2):
        with pytest.raises(gym.error.ResetNeeded, match=rf"{done.sum()} world\(s\) are over.*call reset\(options="):
            envs.step(np.zeros(WORLDS, np.int64))
    envs.reset(options={"reset_mask": done})
    envs.step(np.zeros(WORLDS, np.int64))


@pytest.mark.parametrize("mode", MODES)
def test_a_reset_of_all_worlds_forgets_sessions_that_ended(mode: AutoresetMode) -> None:
    envs = XWorldVectorEnv(WORLDS, observation="tiles", autoreset_mode=mode)
    envs.reset(seed=0)
    while not np.logical_or(*envs.step(envs.oracle_actions())[2:4]).any():
        pass
    envs.reset(seed=0)
    assert (envs.step(np.zeros(WORLDS, np.int64))[1] != 0).all()


def flatten(envs: Any) -> Any:
    """Tiles and commands as one vector."""
    return FlattenObservation(FilterObservation(envs, ["tiles", "command"]))


OBSERVATION_WRAPPERS = {"flat": flatten, "normalized": lambda envs: NormalizeObservation(flatten(envs))}
WRAPPERS = {
    "normalized reward": NormalizeReward,
    "clipped reward": lambda envs: ClipReward(envs, -0.5, 0.5),
    "list of infos": lambda envs: DictInfoToList(NormalizeReward(envs)),
}
PAIRS = [(mode, wrap) for mode in MODES for wrap in WRAPPERS.values()]
# Gymnasium gives the others to these modes only.
PAIRS += [(AutoresetMode.NEXT_STEP, wrap) for wrap in OBSERVATION_WRAPPERS.values()] + [
    (AutoresetMode.DISABLED, flatten)
]


@pytest.mark.parametrize(("mode", "wrap"), PAIRS)
def test_gymnasiums_wrappers_work_as_on_its_own_vector(mode: AutoresetMode, wrap: Any) -> None:
    native, plain = map(wrap, make_pair(mode))
    assert_same(list(native.reset(seed=3)), list(plain.reset(seed=3)))
    for _ in range(60):
        actions = native.unwrapped.oracle_actions()
        mine, other = native.step(actions), plain.step(actions)
        assert_same(list(mine), list(other))
        begin_next(native, *mine[2:4])
        begin_next(plain, *other[2:4])


@pytest.mark.parametrize("mode", MODES)
def test_episode_statistics_are_those_of_the_session(mode: AutoresetMode) -> None:
    envs = RecordEpisodeStatistics(XWorldVectorEnv(WORLDS, observation="tiles", autoreset_mode=mode))
    envs.reset(seed=0)
    for _ in range(60):
        *_, terminated, truncated, info = envs.step(envs.unwrapped.oracle_actions())  # type: ignore[attr-defined]
        if (done := terminated | truncated).any():
            results = info.get("final_info", info)
            assert info["episode"]["r"][done] == pytest.approx(results["session_return"][done])
            assert (info["episode"]["l"] == results["session_length"])[done].all()
        begin_next(envs, terminated, truncated)
    assert envs.episode_count > WORLDS


def test_an_instance_says_its_mode() -> None:
    for mode in MODES:
        for given in (mode, mode.value):
            envs = XWorldVectorEnv(1, observation="tiles", autoreset_mode=given)
            assert envs.autoreset_mode is envs.metadata["autoreset_mode"] is mode
    assert XWorldVectorEnv.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


@pytest.mark.parametrize("mode", ["never", None, "NEXT_STEP", 1])
def test_other_modes_are_refused(mode: Any) -> None:
    with pytest.raises(SettingsError, match=r"^autoreset_mode=.*: expected 'NextStep', 'SameStep' or 'Disabled'$"):
        XWorldVectorEnv(1, autoreset_mode=mode)
