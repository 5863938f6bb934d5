"""The single environment, and what others expect of one."""

import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics

from xworld.envs.registration import ENVIRONMENTS
from xworld.envs.single import XWorldEnv
from xworld.teacher.holdout import Holdout
from xworld.teacher.settings import TeacherSettings
from xworld.world.catalogue import Catalogue


def play(env: Any, action: int | None = None) -> tuple[float, dict[str, Any]]:
    """Play a session with the oracle, or with one action only; returns the sum of rewards and the last info."""
    total, over, info = 0.0, False, {}
    while not over:
        chosen = env.unwrapped.oracle_action() if action is None else action
        _, reward, terminated, truncated, info = env.step(chosen)
        total, over = total + reward, terminated or truncated
    return total, info


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("observation", ["pixels", "tiles"])
def test_gymnasiums_checker_is_content(name: str, observation: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make(name, observation=observation, render_mode="rgb_array").unwrapped)


def test_the_pixels_are_what_the_paper_says() -> None:
    observation, _ = gym.make("XWorld-v0").reset(seed=0)
    assert observation["pixels"].shape == (156, 156, 3)
    assert observation["pixels"].dtype == np.uint8


def test_words_and_numbers_in_the_info_agree() -> None:
    env = gym.make("XWorld-v0", observation="tiles")
    vocabulary = env.unwrapped.simulator.grammar.vocabulary  # type: ignore[attr-defined]
    observation, info = env.reset(seed=1)
    for turn in range(200):
        assert vocabulary.text(observation["command"]) == info["command"]
        assert vocabulary.text(observation["question"]) == info["question"]
        assert vocabulary.words[info["answer_id"]] == info["answer"]
        assert bool(info["question"]) == bool(info["answer"]) == bool(info["question_type"])
        observation, _, terminated, truncated, info = env.step(turn % 4)
        if terminated or truncated:
            observation, info = env.reset()


def test_the_oracle_succeeds_and_the_last_info_says_so() -> None:
    env = gym.make("XWorld-v0", observation="tiles")
    for seed in range(50):
        env.reset(seed=seed)
        total, info = play(env)
        assert info["is_success"] is True
        assert info["session_return"] == pytest.approx(total)
        assert total == pytest.approx(1 - 0.1 * info["session_length"])


def test_time_runs_out() -> None:
    env = gym.make("XWorld-v0", observation="tiles")
    failures = 0
    for seed in range(20):
        env.reset(seed=seed)
        _, info = play(env, action=0)
        failures += not info["is_success"]
        assert info["is_success"] or info["session_length"] == 28
    assert failures > 10


def test_episode_statistics_of_gymnasium() -> None:
    env = RecordEpisodeStatistics(gym.make("XWorld-v0", observation="tiles"))
    env.reset(seed=0)
    total, info = play(env)
    assert info["episode"]["r"] == pytest.approx(total)
    assert info["episode"]["l"] == info["session_length"]


def test_without_a_seed_every_environment_is_another() -> None:
    grids = set()
    for _ in range(5):
        env = XWorldEnv(observation="tiles")
        env.reset()
        grids.add(env.simulator.worlds["grid"].tobytes())
    assert len(grids) == 5


def test_resetting_without_a_seed_lives_on() -> None:
    one, other = XWorldEnv(observation="tiles"), XWorldEnv(observation="tiles")
    for env in (one, other):
        env.reset(seed=4)
        env.reset()
    assert one.simulator.worlds.tobytes() == other.simulator.worlds.tobytes()
    fresh = XWorldEnv(observation="tiles")
    fresh.reset(seed=4)
    assert one.simulator.worlds.tobytes() != fresh.simulator.worlds.tobytes()


def test_conditions_hold_out_what_their_seed_says() -> None:
    catalogue = Catalogue.load()
    env = gym.make("XWorld-NWNavRec-v0", holdout_seed=7, observation="tiles")
    assert env.unwrapped.simulator.holdout == Holdout.draw("NWNavRec", catalogue, seed=7)  # type: ignore[attr-defined]
    own = Holdout("NWNav", ("apple",))
    assert XWorldEnv(condition=own).simulator.holdout == own


def test_training_environments_begin_small_and_the_test_world_does_not() -> None:
    for name in ENVIRONMENTS:
        env: Any = gym.make(name, observation="tiles").unwrapped
        env.reset(seed=0)
        assert env.simulator.worlds["size"][0] == (7 if name == "XWorld-v0" else 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"observation": "sound"}, "observation='sound': expected 'pixels' or 'tiles'"),
        ({"condition": "Easy"}, "condition='Easy': expected 'Standard', 'NC', 'NWNav' or 'NWNavRec'"),
        ({"render_mode": "smell"}, "render_mode='smell'"),
        ({"pack": "/nowhere"}, "pack='/nowhere': expected a folder"),
        ({"curriculum_sessions": -3}, "curriculum_sessions=-3"),
        ({"settings": {"objects": (1, 2)}}, "expected TeacherSettings"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        XWorldEnv(**arguments)


@pytest.mark.parametrize("action", [4, -1, 1.5, "up", None, [0, 1]])
def test_wrong_actions_are_refused(action: object) -> None:
    env = XWorldEnv(observation="tiles")
    env.reset(seed=0)
    with pytest.raises(ValueError, match="action"):
        env.step(action)  # type: ignore[arg-type]


def test_the_order_of_calls_is_watched() -> None:
    env = XWorldEnv(observation="tiles", render_mode="ansi")
    with pytest.raises(gym.error.ResetNeeded, match="before the first step"):
        env.step(0)
    with pytest.raises(gym.error.ResetNeeded, match="before the first render"):
        env.render()
    env.reset(seed=0)
    play(env)
    with pytest.raises(gym.error.ResetNeeded, match="the session is over"):
        env.step(0)


def test_a_seed_that_does_not_fit_is_refused() -> None:
    env = XWorldEnv(observation="tiles")
    with pytest.raises(ValueError, match="seed=18446744073709551616: expected a whole number from 0"):
        env.reset(seed=2**64)


def test_progress_can_be_set() -> None:
    env = XWorldEnv(observation="tiles")
    env.set_progress(0.0)
    env.reset(seed=0)
    assert env.simulator.worlds["size"][0] == 3


def test_settings_reach_the_world() -> None:
    env = XWorldEnv(observation="tiles", settings=TeacherSettings(commands=("nav_bw_obj",), question_rate=0.0))
    for seed in range(10):
        _, info = env.reset(seed=seed)
        assert info["command_type"] == "nav_bw_obj"
        assert info["question"] == ""
