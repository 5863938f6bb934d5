"""A rollout: what the agent saw, did and earned in all environments, and what follows from that."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.teacher.vocabulary import SENTENCE_LENGTH
from xworld.world.cells import ACTION_COLUMN, ACTION_ROW, SIDE, VIEW

UNKNOWN_GOAL = -1
"""The goal of a session that did not succeed or has not ended yet."""


class Rollout(NamedTuple):
    """What the agent saw, did and earned: tensors of (steps, environments, ...); in a minibatch, of (samples, ...)."""

    tiles: Tensor
    commands: Tensor
    questions: Tensor
    answers: Tensor
    """0 where nothing was asked."""
    actions: Tensor
    log_probs: Tensor
    values: Tensor
    rewards: Tensor
    dones: Tensor
    """1 where the action ended a session, else 0."""
    goals: Tensor
    """The cell of the view, row x 13 + column, where the target turned out to be, or `UNKNOWN_GOAL`."""
    advantages: Tensor
    returns: Tensor

    @classmethod
    def empty(cls, num_steps: int, num_envs: int, device: torch.device) -> "Rollout":
        """Buffers to be filled in place."""

        def buffer(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.empty((num_steps, num_envs, *shape), dtype=dtype, device=device)

        floats = "log_probs", "values", "rewards", "dones", "advantages", "returns"
        return cls(
            tiles=buffer(torch.int16, VIEW, VIEW),
            commands=buffer(torch.int16, SENTENCE_LENGTH),
            questions=buffer(torch.int16, SENTENCE_LENGTH),
            answers=buffer(torch.int64),
            actions=buffer(torch.int64),
            goals=buffer(torch.int64),
            **{name: buffer(torch.float32) for name in floats},
        )

    def minibatches(self, count: int, generator: torch.Generator) -> Iterator["Rollout"]:
        """Split all samples into minibatches, in random order."""
        samples = [tensor.flatten(0, 1) for tensor in self]
        order = torch.randperm(self.actions.numel(), generator=generator, device=self.actions.device)
        for part in order.chunk(count):
            yield Rollout(*(tensor[part] for tensor in samples))


def find_goals(
    positions: NDArray[np.int64], actions: NDArray[np.int64], terminated: NDArray[np.bool_], dones: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """(steps, environments) Hindsight: where the target was, known once the agent was rewarded for reaching it.

    `positions` are those before each step, (steps, environments, 2); the others are (steps, environments). The agent
    can tell all of this by counting its own steps: the cell where the reward came, seen from where it stood before.

    >>> up_then_right = np.array([[0], [3]])
    >>> reached = np.array([[False], [True]])
    >>> goals = find_goals(np.array([[[5, 2]], [[4, 2]]]), up_then_right, terminated=reached, dones=reached)
    >>> [divmod(int(goal), VIEW) for goal in goals[:, 0]]  # from the center, (6, 6)
    [(5, 7), (6, 7)]
    """
    goals = np.full(actions.shape, UNKNOWN_GOAL, np.int64)
    goal, known = np.zeros_like(positions[0]), np.zeros(actions.shape[1], np.bool_)
    for step in reversed(range(len(actions))):
        moves = np.stack([ACTION_ROW[actions[step]], ACTION_COLUMN[actions[step]]], axis=1)
        goal = np.where(terminated[step][:, None], positions[step] + moves, goal)
        known = terminated[step] | (known & ~dones[step])
        row, column = (goal - positions[step] + SIDE - 1).T
        goals[step] = np.where(known, row * VIEW + column, UNKNOWN_GOAL)
    return goals


def estimate_advantages(
    rewards: Tensor, values: Tensor, dones: Tensor, last_values: Tensor, gamma: float, gae_lambda: float
) -> tuple[Tensor, Tensor]:
    """Generalized advantage estimation over (steps, environments): advantages and returns."""
    # Unstated in the paper: running out of time is part of the task (the agent has to arrive in time), so truncation
    # ends a session just like reaching the target, and nothing is bootstrapped from beyond it.
    advantages = torch.zeros_like(rewards)
    advantage = torch.zeros_like(last_values)
    next_values = last_values
    for step in reversed(range(len(rewards))):
        continues = 1 - dones[step]
        td_error = rewards[step] + gamma * continues * next_values - values[step]
        advantage = td_error + gamma * gae_lambda * continues * advantage
        advantages[step], next_values = advantage, values[step]
    return advantages, advantages + values
