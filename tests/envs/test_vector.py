"""The native vector environment is Gymnasium's own over single ones, only faster."""

import copy
from typing import Any

import gymnasium as gym
import gymnasium.utils.env_checker
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from xworld.envs.registration import ENVIRONMENTS
from xworld.envs.vector import XWorldVectorEnv

SAME_STEP = {"autoreset_mode": AutoresetMode.SAME_STEP}


def assert_same_info(native: dict[str, Any], plain: dict[str, Any], final: bool = False) -> None:
    for key, value in native.items():
        if key == "final_info":
            assert_same_info(value, plain[key], final=True)
        elif key == "final_obs":
            for mine, other in zip(value, plain[key], strict=True):
                assert (mine is None) == (other is None)
                assert mine is None or all(np.array_equal(mine[part], other[part]) for part in mine)
        elif final and not key.startswith("_"):
            where = native[f"_{key}"]
            assert np.array_equal(value[where], plain[key][where])
        else:
            assert np.array_equal(value, plain[key])


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("observation", ["pixels", "tiles"])
def test_it_equals_gymnasiums_vector_of_single_environments(name: str, observation: str) -> None:
    native = gym.make_vec(name, num_envs=5, observation=observation)
    plain = gym.make_vec(name, num_envs=5, vectorization_mode="sync", vector_kwargs=SAME_STEP, observation=observation)
    assert isinstance(native.unwrapped, XWorldVectorEnv)
    assert native.observation_space == plain.observation_space
    assert native.action_space == plain.action_space
    mine, other = native.reset(seed=11), plain.reset(seed=11)
    native.action_space.seed(0)
    for _ in range(100):
        assert all(np.array_equal(mine[0][key], other[0][key]) for key in other[0])
        assert mine[0] in native.observation_space
        assert_same_info(mine[1], other[1])
        actions = native.action_space.sample()
        *mine_rest, mine_info = native.step(actions)
        *other_rest, other_info = plain.step(actions)
        assert all(np.array_equal(*pair) for pair in zip(mine_rest[1:], other_rest[1:], strict=True))
        mine, other = (mine_rest[0], mine_info), (other_rest[0], other_info)


def test_what_was_handed_out_is_never_changed() -> None:
    envs = XWorldVectorEnv(16, observation="tiles")
    kept: list[tuple[Any, Any]] = []
    outcome: tuple[Any, ...] = envs.reset(seed=0)
    for _ in range(60):  # so many that sessions end
        kept.append((outcome, copy.deepcopy(outcome)))
        outcome = envs.step(envs.oracle_actions())
    assert any("final_info" in before[-1] for _, before in kept)
    for now, before in kept:
        assert gym.utils.env_checker.data_equivalence(now, before)


def test_episode_statistics_of_gymnasium() -> None:
    envs = RecordEpisodeStatistics(gym.make_vec("XWorld-v0", num_envs=64, observation="tiles"))
    envs.reset(seed=0)
    ended = 0
    for _ in range(60):
        *_, terminated, truncated, info = envs.step(envs.unwrapped.oracle_actions())  # type: ignore[attr-defined]
        done = terminated | truncated
        ended += done.sum()
        if done.any():
            assert info["episode"]["r"][done] == pytest.approx(info["final_info"]["session_return"][done])
            assert info["final_info"]["is_success"][done].all()
    assert ended > 64


def test_a_list_of_seeds_and_a_mask() -> None:
    envs = XWorldVectorEnv(3, observation="tiles")
    first, _ = envs.reset(seed=[5, None, 5])
    assert np.array_equal(first["tiles"][0], first["tiles"][2])
    mask = np.array([True, False, False])
    second, info = envs.reset(options={"reset_mask": mask})
    assert not np.array_equal(second["tiles"][0], first["tiles"][0])
    assert np.array_equal(second["tiles"][1:], first["tiles"][1:])
    assert info["_answer_id"].tolist() == mask.tolist()


def test_without_a_seed_every_world_has_its_own() -> None:
    envs = XWorldVectorEnv(64, observation="tiles")
    observation, _ = envs.reset()
    assert len({tiles.tobytes() for tiles in observation["tiles"]}) == 64


def test_seeds_may_be_numpys() -> None:
    envs = XWorldVectorEnv(2, observation="tiles")
    first, _ = envs.reset(seed=np.int64(5))  # type: ignore[arg-type]
    again, _ = envs.reset(seed=np.array([5, 6]))
    assert np.array_equal(first["tiles"], again["tiles"])


def test_the_first_reset_is_of_all_worlds() -> None:
    envs = XWorldVectorEnv(2, observation="tiles")
    with pytest.raises(gym.error.ResetNeeded, match="begins all worlds"):
        envs.reset(seed=1, options={"reset_mask": np.array([True, False])})


def test_text_and_progress() -> None:
    envs = XWorldVectorEnv(8, observation="tiles")
    envs.set_progress(0.0)
    observation, _ = envs.reset(seed=0)
    assert all(text.endswith(".") for text in envs.text(observation["command"]))
    assert (envs.simulator.worlds["size"] == 3).all()


def test_pictures_of_all_worlds() -> None:
    envs = XWorldVectorEnv(2, observation="tiles", render_mode="rgb_array")
    envs.reset(seed=0)
    pictures = envs.render()
    assert pictures is not None
    assert len(pictures) == 2
    assert pictures[0].shape == pictures[1].shape


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda envs: envs.step(np.array([0, 1])), r"actions of shape \(2,\)"),
        (lambda envs: envs.step(np.array([0, 1, 4])), "no action 4"),
        (lambda envs: envs.step(np.array([0.5, 1, 2])), "expected whole numbers"),
        (lambda envs: envs.reset(seed=[1, 2]), "2 seeds: expected one for each of the 3"),
        (lambda envs: envs.reset(seed=[1, 2, -3]), "expected a whole number"),
        (lambda envs: envs.reset(seed=[1, 2, 2**70]), "expected a whole number"),
        (lambda envs: envs.reset(seed=[1, 2, 3.5]), "expected a whole number"),
        (lambda envs: envs.reset(options={"reset_mask": np.ones(2, bool)}), "expected 3 truth values"),
        (lambda envs: envs.reset(options={"reset_mask": np.zeros(3, bool)}), "at least one of them true"),
        (lambda envs: envs.set_progress(-1), "progress=-1"),
    ],
)
def test_wrong_calls_are_refused(call: Any, message: str) -> None:
    envs = XWorldVectorEnv(3, observation="tiles")
    envs.reset(seed=0)
    with pytest.raises(ValueError, match=message):
        call(envs)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="num_envs=0"):
        XWorldVectorEnv(0)
    with pytest.raises(ValueError, match="render_mode='human': expected 'rgb_array'"):
        XWorldVectorEnv(1, render_mode="human")
    with pytest.raises(gym.error.ResetNeeded):
        XWorldVectorEnv(1, observation="tiles").step(np.zeros(1, np.int64))
