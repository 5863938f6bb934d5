"""The losses for commands and for questions, and their targets: advantages, returns, and goals in hindsight."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from xworld.world.cells import ACTION_COLUMN, ACTION_ROW, SIDE, VIEW

UNKNOWN_GOAL = -1
"""The goal of a session that did not succeed or has not ended yet."""
_LEAST_ATTENTION = 1e-4
"""Added to attention before its logarithm: below this, the output of Fourier transforms is noise."""


@dataclass(frozen=True)
class PolicyLoss:
    """The parts of the PPO loss, each a mean over samples."""

    surrogate: Tensor
    value: Tensor
    entropy: Tensor


def clipped_policy_loss(
    logits: Tensor,
    values: Tensor,
    actions: Tensor,
    old_log_probs: Tensor,
    advantages: Tensor,
    returns: Tensor,
    clip_range: float,
) -> PolicyLoss:
    """The clipped surrogate of PPO, the squared error of the values, and the entropy of the policy."""
    log_policy = logits.log_softmax(dim=1)
    ratio = (log_policy.gather(1, actions[:, None]).squeeze(1) - old_log_probs).exp()
    normalized = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
    clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
    return PolicyLoss(
        surrogate=-torch.minimum(ratio * normalized, clipped * normalized).mean(),
        value=0.5 * (values - returns).square().mean(),
        entropy=-(log_policy.exp() * log_policy).sum(dim=1).mean(),
    )


def recognition_loss(scores: Tensor, answers: Tensor) -> Tensor:
    """Cross entropy of the correct answers; samples without a question have answer 0 and are left out."""
    asked = (answers > 0).to(scores.dtype)
    loss = functional.cross_entropy(scores[:, 1:], (answers - 1).clamp(min=0), reduction="none")
    return (loss * asked).sum() / asked.sum().clamp(min=1)


def hindsight_loss(attention: Tensor, goals: Tensor) -> Tensor:
    """Cross entropy of attention, (samples, 169), and the cell of the target; samples with goal -1 are left out."""
    known = (goals >= 0).to(attention.dtype)
    there = attention.gather(1, goals.clamp(min=0)[:, None]).squeeze(1).clamp(min=0)  # rounding can leave it below
    return -((there + _LEAST_ATTENTION).log() * known).sum() / known.sum().clamp(min=1)


def gate_loss(logits: Tensor) -> Tensor:
    """L2 penalty on the gate logits: a saturated gate has stopped learning."""
    return logits.square().mean()


def count_answers(scores: Tensor, answers: Tensor) -> Tensor:
    """Two numbers: how many questions were answered correctly, and how many were asked."""
    asked = answers > 0
    correct = (scores.argmax(dim=1) == answers) & asked
    return torch.stack([correct.sum(), asked.sum()]).float()


def actor_critic_loss(logits: Tensor, values: Tensor, actions: Tensor, td_error: Tensor) -> Tensor:
    """The paper's gradient as printed, summed: log policy and value both move in proportion to r + gamma V' - V."""
    chosen = logits.log_softmax(dim=1).gather(1, actions[:, None]).squeeze(1)
    return -((chosen + values) * td_error.detach()).sum()


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
