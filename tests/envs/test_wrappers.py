"""Agents that answer, and agents that read."""

import copy
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import xworld
from xworld.envs.single import XWorldEnv
from xworld.envs.vector import XWorldVectorEnv
from xworld.envs.words import Words
from xworld.envs.wrappers import Answer, Text, VectorAnswer
from xworld.teacher.settings import TeacherSettings
from xworld.world.checks import SettingsError

assert xworld.__version__

SOMETIMES = TeacherSettings(question_rate=0.5)
"""A question at every other step."""


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version.*")
@pytest.mark.parametrize("wrap", [Answer, Text, lambda env: Text(Answer(env, reward=0.5))])
def test_gymnasiums_checker_is_content(wrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    check_env(wrap(gym.make("XWorld-v0", observation="tiles", render_mode="rgb_array")))


@pytest.mark.parametrize("right", [True, False])
def test_an_answer_is_about_the_question_that_was_acted_on(right: bool) -> None:
    env, plain = Answer(XWorldEnv("tiles", settings=SOMETIMES), reward=0.5), XWorldEnv("tiles", settings=SOMETIMES)
    (_, info), _ = env.reset(seed=0), plain.reset(seed=0)
    asked = 0
    for _ in range(200):
        question, answer = info["question"], info["answer_id"]
        move = plain.oracle_action()
        _, reward, terminated, truncated, info = env.step(np.array([move, answer if right else answer + 1]))
        _, expected, *_ = plain.step(move)
        assert info.get("answer_correct") == (right if question else None)
        assert reward == pytest.approx(expected + (0.5 if question and right else 0))
        asked += bool(question)
        if terminated or truncated:
            (_, info), _ = env.reset(), plain.reset()
    assert 60 < asked < 140


def test_no_answer_is_not_correct() -> None:
    env = Answer(XWorldEnv("tiles"), reward=1.0)
    env.reset(seed=0)
    _, reward, _, _, info = env.step(np.array([0, 0]))
    assert info["answer_correct"] is False
    assert reward < 0


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_judges_answers_as_single_environments_do(mode: AutoresetMode) -> None:
    arguments: dict[str, Any] = {"observation": "tiles", "settings": SOMETIMES}
    envs = VectorAnswer(XWorldVectorEnv(4, autoreset_mode=mode, **arguments), reward=0.5)
    plain = gym.vector.SyncVectorEnv([lambda: Answer(XWorldEnv(**arguments), reward=0.5)] * 4, autoreset_mode=mode)
    assert envs.action_space == plain.action_space
    infos = [each.reset(seed=3)[1] for each in (envs, plain)]
    for turn in range(100):
        words = np.where(np.arange(4) % 2 == turn % 2, infos[0]["answer_id"], 1)
        infos[0]["answer_id"][:] = 0  # what was handed out is the caller's
        actions = np.stack([envs.unwrapped.oracle_actions(), words], axis=1)  # type: ignore[attr-defined]
        steps = [each.step(actions) for each in (envs, plain)]
        infos = [step[4] for step in steps]
        for mine, other in zip(*(step[1:4] for step in steps), strict=True):
            assert np.array_equal(mine, other)
        final = infos[1].get("final_info", {})  # where Gymnasium puts the infos of sessions that ended
        for name in ("answer_correct", "_answer_correct"):
            none = np.zeros(4, np.bool_)
            assert np.array_equal(infos[0][name], infos[1].get(name, none) | final.get(name, none))
        done = steps[0][2] | steps[0][3]
        if mode is AutoresetMode.DISABLED and done.any():
            infos = [each.reset(options={"reset_mask": done.copy()})[1] for each in (envs, plain)]


def test_a_world_that_waits_for_its_next_session_is_not_asked() -> None:
    envs = VectorAnswer(XWorldVectorEnv(2, observation="tiles", autoreset_mode="NextStep"))
    envs.reset(seed=0)
    done = np.zeros(2, np.bool_)
    while not done.any():
        moves = envs.unwrapped.oracle_actions()  # type: ignore[attr-defined]
        _, _, terminated, truncated, _ = envs.step(np.stack([moves, moves], axis=1))
        done = terminated | truncated
    assert not done.all()
    envs.reset(options={"reset_mask": ~done})
    assert envs.step(np.zeros((2, 2), np.int64))[4]["_answer_correct"].tolist() == (~done).tolist()


@pytest.mark.parametrize("action", [[0], [4, 0], [0, 105], [-1, 0], [0, -1], [0.0, 1.0], "up", None, [[0, 0]]])
def test_wrong_actions_are_refused(action: Any) -> None:
    env = Answer(XWorldEnv("tiles"))
    env.reset(seed=0)
    with pytest.raises(SettingsError, match=r"^action=.*: expected steps, 0 to 3, and word numbers, 0 to 104"):
        env.step(action)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(SettingsError, match="reward='much': expected a number"):
        Answer(XWorldEnv("tiles"), reward="much")  # type: ignore[arg-type]
    for wrap in (Answer, Text):
        with pytest.raises(SettingsError, match=r"expected XWorldEnv\(...\)"):
            wrap(gym.make("CartPole-v1"))
    with pytest.raises(SettingsError, match=r"expected XWorldVectorEnv\(...\)"):
        VectorAnswer(gym.make_vec("CartPole-v1"))


def test_a_text_tells_all_but_the_answer() -> None:
    env = Text(XWorldEnv("tiles", settings=SOMETIMES))
    for seed in range(30):
        text, info = env.reset(seed=seed)
        assert text in env.observation_space
        assert text.count("@@") == 2  # on the map and in the legend
        assert f"\nCommand: {info['command']}" in text
        assert text.endswith(f"\nQuestion: {info['question']}") == bool(info["question"])
        env.unwrapped.simulator.sessions["answer"] = 7  # type: ignore[attr-defined]
        assert env._write() == text


def test_words_are_the_numbered_actions() -> None:
    env, plain = Text(Answer(XWorldEnv("tiles"))), XWorldEnv("tiles")
    (_, info), _ = env.reset(seed=0), plain.reset(seed=0)
    for action, number in (("up", 0), ("down", 1), ("left", 2), ("right", 3)):
        _, reward, terminated, _, info = env.step(f"{action} {info['answer']}")
        assert info["answer_correct"]
        assert not terminated
        assert reward == plain.step(number)[1]
        assert (env.unwrapped.simulator.worlds == plain.simulator.worlds).all()  # type: ignore[attr-defined]
    assert env.step("up")[4]["answer_correct"] is False


@pytest.mark.parametrize("action", ["", "jump", "Up", "up up", "up dog", 0, None, ["up"]])
def test_other_words_are_refused(action: Any) -> None:
    env = Text(XWorldEnv("tiles"))
    env.reset(seed=0)
    with pytest.raises(SettingsError, match=r"^action=.*: expected 'up', 'down', 'left' or 'right'$"):
        env.step(action)


def test_samples_of_words_are_words() -> None:
    words = Words(("up", "down"), ("", "cat", "dog"), seed=0)
    samples = {words.sample() for _ in range(100)}
    assert samples == {"up", "up cat", "up dog", "down", "down cat", "down dog"}
    assert all(sample in words for sample in samples)
    assert words == pickle.loads(pickle.dumps(words)) == copy.deepcopy(words) != Words(("up", "down"))
    with pytest.raises(NotImplementedError):
        words.sample(mask=np.ones(2, np.int8))
