"""Who is tested: a model of ours, or any policy that maps observations to actions."""

from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from xworld.envs.observation import Observation, Observer
from xworld.teacher.simulator import Simulator
from xworld.teacher.vocabulary import PADDING, Vocabulary
from xworld.world.cells import ACTIONS
from xworld.world.checks import show

BATCH_SIZE = 512
"""Scenes at once: a minibatch of training, so that a model that could be trained can also be tested."""
Numbers = NDArray[np.int64]


class PolicyError(ValueError):
    """A policy cannot be tested, or returned what is no action or answer; the message says what was expected."""


class Responder(Protocol):
    """Acts and answers in the worlds of a simulator."""

    def respond(self, simulator: Simulator, worlds: Numbers) -> tuple[Numbers, Numbers]:
        """The action and the word number of the answer in some worlds; no answer where none is needed."""


class Policy(Protocol):
    """Maps observations, stacked over worlds, to actions, one for each world.

    An object may have `act` or, as in Stable-Baselines3, `predict` instead. With `answer` it answers questions too, in
    words or word numbers.
    """

    def __call__(self, observation: Observation) -> ArrayLike:
        """(worlds,) Actions from 0 to 3."""


class PolicyResponder:
    """A policy that sees what the environment shows. It remembers nothing from one step to the next."""

    def __init__(self, policy: Any, observation: str | None = None) -> None:
        """`observation` is pixels or tiles; by default that of the policy's observation space, or pixels."""
        if not (callable(policy) or hasattr(policy, "act") or hasattr(policy, "predict")):
            raise PolicyError(
                f"{show(policy)} is no policy: expected a function of observations, or act() or predict()"
            )
        self._policy, self._kind = policy, observation or _kind_of(policy)
        self._observer: tuple[Simulator, Observer] | None = None

    def respond(self, simulator: Simulator, worlds: Numbers) -> tuple[Numbers, Numbers]:
        """Show the worlds in batches."""
        if self._observer is None or self._observer[0] is not simulator:
            self._observer = simulator, Observer(simulator, self._kind)
        actions, answers = np.zeros(len(worlds), np.int64), np.full(len(worlds), PADDING, np.int64)
        for start in range(0, len(worlds), BATCH_SIZE):
            batch = slice(start, start + BATCH_SIZE)
            observation = self._observer[1].observe(worlds[batch])
            actions[batch] = self._act(observation)
            if simulator.settings.question_rate and hasattr(self._policy, "answer"):
                answers[batch] = self._answer(observation, simulator.grammar.vocabulary)
        return actions, answers

    def _act(self, observation: Observation) -> Numbers:
        policy, worlds = self._policy, len(observation["command"])
        if hasattr(policy, "predict"):
            chosen, _ = policy.predict(observation, deterministic=True)
        else:
            chosen = policy.act(observation) if hasattr(policy, "act") else policy(observation)
        actions = np.asarray(chosen)
        if actions.shape != (worlds,) or actions.dtype.kind not in "iu":
            raise PolicyError(
                f"the policy returned {actions.dtype} of shape {actions.shape}: expected {worlds} whole numbers"
            )
        if not np.isin(actions, range(len(ACTIONS))).all():
            raise PolicyError(f"the policy returned actions up to {actions.max()}: expected 0 to {len(ACTIONS) - 1}")
        return actions.astype(np.int64)

    def _answer(self, observation: Observation, vocabulary: Vocabulary) -> Numbers:
        worlds, said = len(observation["command"]), np.asarray(self._policy.answer(observation))
        if said.shape != (worlds,) or said.dtype.kind not in "iuU":
            raise PolicyError(
                f"the policy answered {said.dtype} of shape {said.shape}: expected {worlds} words, or their numbers"
            )
        known = {word: number for number, word in enumerate(vocabulary.words)}
        return (
            said.astype(np.int64) if said.dtype.kind in "iu" else np.array([known.get(word, PADDING) for word in said])
        )


def as_responder(policy: Any, observation: str | None = None) -> Responder:
    """A responder for a trained agent, a model or a policy; a responder is one already."""
    if hasattr(policy, "respond") and not hasattr(policy, "atlas"):
        return cast(Responder, policy)
    model = getattr(policy, "model", policy)
    if hasattr(model, "atlas"):  # the mark of our models; PyTorch is loaded already then
        from xworld.evaluation.model_responder import ModelResponder

        return ModelResponder(model)
    return PolicyResponder(policy, observation)


def _kind_of(policy: Any) -> str:
    space = getattr(policy, "observation_space", None)
    return "tiles" if "tiles" in getattr(space, "spaces", {}) else "pixels"
