"""A single environment and a vector of them refuse the same things, in the same words."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from xworld.envs.single import XWorldEnv
from xworld.envs.vector import XWorldVectorEnv
from xworld.teacher.settings import TeacherSettings
from xworld.training.configs import TINY, as_json
from xworld.world.checks import SettingsError
from xworld.world.movement import Rewards


def refusal(function: Any, *given: Any, **named: Any) -> str:
    with pytest.raises(SettingsError) as caught:
        function(*given, **named)
    return str(caught.value)


@pytest.fixture(scope="module")
def single() -> XWorldEnv:
    env = XWorldEnv(observation="tiles")
    env.reset(seed=0)
    return env


@pytest.fixture(scope="module")
def vector() -> XWorldVectorEnv:
    envs = XWorldVectorEnv(1, observation="tiles")
    envs.reset(seed=0)
    return envs


@pytest.mark.parametrize(
    "seed", [-1, 2**64, 1.0, np.float64(1), True, np.True_, "1", b"1", {1}, {}, object(), iter([1])]
)
def test_seeds(seed: Any, single: XWorldEnv, vector: XWorldVectorEnv) -> None:
    message = refusal(single.reset, seed=seed)
    assert message.endswith(": expected a whole number from 0 to 2**64 - 1")
    assert message == refusal(vector.reset, seed=seed)


def test_seeds_do_not_wrap_round() -> None:
    envs = XWorldVectorEnv(2, observation="tiles")
    envs.reset(seed=2**64 - 2)
    assert "seed=18446744073709551616: expected" in refusal(envs.reset, seed=2**64 - 1)


@pytest.mark.parametrize("seed", [7, np.int8(7), np.uint64(7), np.array(7)])
def test_whole_numbers_of_any_type_are_seeds(seed: Any, single: XWorldEnv, vector: XWorldVectorEnv) -> None:
    tiles = single.reset(seed=7)[0]["tiles"]
    assert np.array_equal(single.reset(seed=seed)[0]["tiles"], tiles)
    assert np.array_equal(vector.reset(seed=seed)[0]["tiles"][0], tiles)


@pytest.mark.parametrize("seeds", [[1, 2], [], [None, None], [1.5], [True], ["1"], [[1]], np.array([[1]]), range(2)])
def test_lists_of_seeds(seeds: Any, vector: XWorldVectorEnv) -> None:
    assert "seed" in refusal(vector.reset, seed=seeds)


def test_a_refused_reset_changes_nothing(vector: XWorldVectorEnv) -> None:
    vector.reset(seed=3)
    before, stream = vector.simulator.worlds.copy(), copy.deepcopy(vector.np_random)
    refusal(vector.reset, seed=4, options={"reset_mask": np.zeros(1, np.bool_)})
    assert (vector.simulator.worlds == before).all()
    assert vector.np_random.random() == stream.random()


@pytest.mark.parametrize("options", [[], "reset_mask", 5, np.zeros(1, np.bool_)])
def test_options(options: Any, single: XWorldEnv, vector: XWorldVectorEnv) -> None:
    message = refusal(single.reset, options=options)
    assert message.endswith(": expected a dictionary, or None")
    assert message == refusal(vector.reset, options=options)


def test_unknown_options_are_named(single: XWorldEnv, vector: XWorldVectorEnv) -> None:
    single.reset(options={})
    assert (
        refusal(single.reset, options={"map": 1})
        == "options: no option 'map'; expected 'scene' or 'command' or 'command_type'"
    )
    assert "expected 'reset_mask' or 'scene' or" in refusal(vector.reset, options={"map": 1})


@pytest.mark.parametrize("action", [4, -1, 1.0, None, "up", [0, 0], [[0], 0], True, 2**64, np.timedelta64(1)])
def test_actions(action: Any, single: XWorldEnv, vector: XWorldVectorEnv) -> None:
    single.reset(seed=0)
    assert "action" in (message := refusal(single.step, action))
    assert message == refusal(vector.step, [action])


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "observation": ("sound", None, np.array(["tiles"]), 1),
        "condition": ("Easy", None, ["NC"], np.array(["NC", "NC"])),
        "holdout_seed": (-1, None, 0.0, True, 2**64),
        "curriculum_sessions": (-1, None, 1.0, True, 2**63),
        "settings": ({}, 1, TeacherSettings),
        "pack": (1, b"x", "\0", "x" * 5_000, "nowhere"),
        "render_mode": ("smell", 1, np.array(["ansi", "human"])),
    }.items(),
)
def test_arguments(name: str, values: tuple[Any, ...]) -> None:
    for value in values:
        messages = []
        for kind in (XWorldEnv, XWorldVectorEnv):
            with pytest.raises(ValueError, match=f"^{name}=.*: expected") as caught:
                kind(**{"observation": "tiles", name: value})
            messages.append(str(caught.value))
        assert messages[0] == messages[1] or name == "render_mode"  # a vector has fewer modes


@pytest.mark.parametrize("name", ["num_envs", "threads"])
def test_absurd_sizes_are_refused_at_once(name: str) -> None:
    for value in (0, 10**9, 10**12, 1.5, "2", True):
        with pytest.raises(SettingsError, match=f"^{name}=.*: expected a whole number from 1 to "):
            XWorldVectorEnv(**{name: value})  # type: ignore[arg-type]


def test_numbers_of_numpy_are_settings_like_pythons() -> None:
    numpys: Any = {
        "objects": (np.int64(1), np.uint8(2)),
        "question_rate": np.float32(0.5),
        "between_rows_only": np.True_,
        "rewards": Rewards(np.float64(-1), np.int8(0)),  # type: ignore[arg-type]
    }
    settings = TeacherSettings(**numpys)
    same = TeacherSettings(objects=(1, 2), question_rate=0.5, between_rows_only=True, rewards=Rewards(-1, 0))
    assert settings == same == pickle.loads(pickle.dumps(settings)) == copy.deepcopy(settings)
    assert repr(settings) == repr(same)
    assert hash(settings) == hash(same)
    config = type(TINY)(**vars(TINY) | {"teacher": settings, "num_envs": np.int64(128), "gamma": np.float64(0.5)})
    assert as_json(config)["teacher"]["objects"] == [1, 2]
    envs = XWorldVectorEnv(np.int64(2), observation="tiles", threads=np.uint8(1), curriculum_sessions=np.int32(5))  # type: ignore[arg-type]
    envs.set_progress(np.float32(0.5))  # type: ignore[arg-type]
    envs.reset(seed=np.int64(3))  # type: ignore[arg-type]
