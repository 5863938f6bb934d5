"""Wrappers of the environments: agents that answer the teacher's questions, and agents that read text."""

import math
import string
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from xworld.envs.observation import Observation, session_words
from xworld.envs.rendering import scene_of
from xworld.envs.single import XWorldEnv
from xworld.envs.vector import Flags, XWorldVectorEnv
from xworld.envs.words import Words
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING, SENTENCE_LENGTH, Vocabulary
from xworld.world.cells import ACTIONS, CELLS
from xworld.world.checks import as_array, check_kind, check_number, refusal


class Answer(gym.Wrapper[Observation, NDArray[np.int64], Observation, np.int64], RecordConstructorArgs):
    """The agent steps and answers: an action is a step, 0 to 3, and a word number, 0 for no answer.

    Where the observation that the agent acted on had a question, the info says whether the word was
    `answer_correct`, and a correct one adds `reward`. The session's own `session_return` does not count it.

    >>> env = Answer(XWorldEnv(observation="tiles"), reward=0.5)
    >>> observation, info = env.reset(seed=0)
    >>> env.action_space
    MultiDiscrete([  4 105])
    >>> *_, info = env.step([env.unwrapped.oracle_action(), info["answer_id"]])
    >>> info["answer_correct"]
    True
    """

    env: gym.Env[Any, Any]

    def __init__(self, env: gym.Env[Any, Any], reward: float = 0.0) -> None:
        RecordConstructorArgs.__init__(self, reward=reward)
        super().__init__(env)
        self.action_space = _action_space(_simulator(env))
        self._reward = check_number("reward", reward, -math.inf)
        self._answer = PADDING

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a session."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._answer = info["answer_id"]
        return observation, info

    def step(self, action: NDArray[np.int64]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take a step, and answer the question in the last observation."""
        move, word = _check_action("action", action, self.action_space)
        observation, reward, terminated, truncated, info = self.env.step(move)
        if self._answer != PADDING:
            info["answer_correct"] = bool(word == self._answer)
            reward = float(reward) + self._reward * info["answer_correct"]
        self._answer = info["answer_id"]
        return observation, float(reward), terminated, truncated, info


class VectorAnswer(gym.vector.VectorWrapper, RecordConstructorArgs):
    """`Answer` for the vector environment: actions are (worlds, 2), and `_answer_correct` tells who was asked.

    >>> envs = VectorAnswer(XWorldVectorEnv(3, observation="tiles"))
    >>> observation, info = envs.reset(seed=0)
    >>> *_, info = envs.step(np.stack([[0, 1, 2], info["answer_id"]], axis=1))
    >>> info["answer_correct"]
    array([ True,  True,  True])
    """

    def __init__(self, env: gym.vector.VectorEnv[Any, Any, Any], reward: float = 0.0) -> None:
        RecordConstructorArgs.__init__(self, reward=reward)
        super().__init__(env)
        simulator = check_kind("env", env.unwrapped, XWorldVectorEnv).simulator
        self.single_action_space = _action_space(simulator)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._reward = check_number("reward", reward, -math.inf)
        self._answers = np.full(self.num_envs, PADDING)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin sessions."""
        observations, info = self.env.reset(seed=seed, options=options)
        self._answers = np.where(info["_answer_id"], info["answer_id"], self._answers)
        return observations, info

    def step(self, actions: NDArray[np.int64]) -> tuple[Observation, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Step every world, and answer the questions in the last observations."""
        moves, words = _check_action("actions", actions, self.action_space).T
        observations, rewards, terminated, truncated, info = self.env.step(moves)
        asked = self._answers != PADDING
        correct = asked & (words == self._answers)
        ignored = (terminated | truncated) & (self.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP)  # next time
        self._answers = np.where(ignored, PADDING, info["answer_id"])
        info |= {"answer_correct": correct, "_answer_correct": asked}
        return observations, rewards + self._reward * correct, terminated, truncated, info


class Text(gym.Wrapper[str, str, Observation, Any], RecordConstructorArgs):
    """For agents that read, such as language models: observations are texts, and actions are words.

    Actions are "up", "down", "left" and "right". Over `Answer`, a word for the answer may follow, as in "up dog".

    >>> env = Text(Answer(XWorldEnv(observation="tiles")))
    >>> text, info = env.reset(seed=18)
    >>> print(text)
    ##  .  .  .  .  .  .
     .  .  . Do  .  .  .
     .  . Ra  .  .  . ##
     .  .  . Tu  .  . ##
     .  . @@  .  .  .  .
     .  .  .  .  .  .  .
     .  . ##  .  .  .  .
    @@ you   ## wall   Do dog   Ra rabbit   Tu turkey
    Command: West near the dog is the goal.
    Question: Name the object in the northeast.
    >>> *_, info = env.step("down turkey")
    >>> info["answer_correct"]
    True
    """

    env: gym.Env[Any, Any]

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        RecordConstructorArgs.__init__(self)
        super().__init__(env)
        self._simulator = _simulator(env)
        self._answers = isinstance(env.action_space, spaces.MultiDiscrete)
        vocabulary = self._simulator.grammar.vocabulary
        self.observation_space = _text_space(vocabulary)
        self.action_space = self._words = Words(ACTIONS, vocabulary.words) if self._answers else Words(ACTIONS)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin a session."""
        _, info = self.env.reset(seed=seed, options=options)
        return self._write(), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take one step, and answer if the environment below takes answers."""
        numbers = self._words.numbers(action)
        if numbers is None:
            answer = ", and after it an answer or nothing" if self._answers else ""
            raise refusal("action", action, f"'up', 'down', 'left' or 'right'{answer}")
        _, reward, terminated, truncated, info = self.env.step(numbers if self._answers else numbers[0])
        return self._write(), float(reward), terminated, truncated, info

    def _write(self) -> str:
        """The map with a legend, the command, and the question if there is one."""
        lines, legend = scene_of(self._simulator).lines(self._simulator.grammar.catalogue)
        words = session_words(self._simulator, 0)
        spoken = [f"{name.capitalize()}: {words[name]}" for name in ("command", "question") if words[name]]
        return "\n".join([*lines, "   ".join(["@@ you", "## wall", *legend]), *spoken])


def _simulator(env: gym.Env[Any, Any]) -> Simulator:
    return check_kind("env", env.unwrapped, XWorldEnv).simulator


def _action_space(simulator: Simulator) -> spaces.MultiDiscrete:
    return spaces.MultiDiscrete([len(ACTIONS), len(simulator.grammar.vocabulary) + 1])


def _check_action(name: str, action: Any, space: Any) -> NDArray[Any]:
    given = as_array(name, action)
    if given not in space:
        moves, words = (int(most) - 1 for most in space.nvec.reshape(-1, 2)[0])
        raise refusal(name, action, f"steps, 0 to {moves}, and word numbers, 0 to {words}, of shape {space.shape}")
    return given


def _text_space(vocabulary: Vocabulary) -> spaces.Text:
    """Room for a map full of objects, each in the legend, and two sentences, all in the longest words."""
    longest = max(len(word) for word in vocabulary.words)
    characters = frozenset(string.printable).union(*vocabulary.words)
    return spaces.Text((CELLS + 2 * SENTENCE_LENGTH) * (longest + 20), charset=characters)
