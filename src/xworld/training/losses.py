"""The losses: one for walking, one for answering."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

_LEAST_ATTENTION = 1e-4
"""Added to attention before its logarithm: below this, what Fourier transforms leave is noise."""


@dataclass(frozen=True)
class PolicyLoss:
    """The parts of the on-policy loss, each a mean over samples."""

    surrogate: Tensor
    value: Tensor
    entropy: Tensor


def clipped_policy_loss(
    logits: Tensor, values: Tensor, actions: Tensor, old_log: Tensor, advantages: Tensor, returns: Tensor, clip: float
) -> PolicyLoss:
    """Proximal policy optimization: the clipped surrogate, the squared error of values, and the entropy."""
    log_policy = logits.log_softmax(dim=1)
    ratio = (log_policy.gather(1, actions[:, None]).squeeze(1) - old_log).exp()
    normalized = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
    clipped = ratio.clamp(1 - clip, 1 + clip)
    return PolicyLoss(
        surrogate=-torch.minimum(ratio * normalized, clipped * normalized).mean(),
        value=0.5 * (values - returns).square().mean(),
        entropy=-(log_policy.exp() * log_policy).sum(dim=1).mean(),
    )


def recognition_loss(scores: Tensor, answers: Tensor) -> Tensor:
    """Cross entropy of the right answers; where nothing was asked, the answer is 0 and counts for nothing."""
    asked = (answers > 0).to(scores.dtype)
    loss = functional.cross_entropy(scores[:, 1:], (answers - 1).clamp(min=0), reduction="none")
    return (loss * asked).sum() / asked.sum().clamp(min=1)


def hindsight_loss(attention: Tensor, goals: Tensor) -> Tensor:
    """Cross entropy of attention, (scenes, 169), and the cells that turned out to be meant; -1: it is not known."""
    known = (goals >= 0).to(attention.dtype)
    there = attention.gather(1, goals.clamp(min=0)[:, None]).squeeze(1).clamp(min=0)  # rounding can leave it below
    return -((there + _LEAST_ATTENTION).log() * known).sum() / known.sum().clamp(min=1)


def gate_loss(logits: Tensor) -> Tensor:
    """Mean square of what gates are made of: one that is all but open or all but shut has stopped learning."""
    return logits.square().mean()


def count_answers(scores: Tensor, answers: Tensor) -> Tensor:
    """Two numbers: how many of the likeliest words are the right answers, and how many answers there are."""
    asked = answers > 0
    right = (scores.argmax(dim=1) == answers) & asked
    return torch.stack([right.sum(), asked.sum()]).float()


def actor_critic_loss(logits: Tensor, values: Tensor, actions: Tensor, td_error: Tensor) -> Tensor:
    """The paper's gradient as printed: log policy and value both move in proportion to the td_error r + gamma V' - V.

    A sum over samples, with the td_error held fixed.
    """
    chosen = logits.log_softmax(dim=1).gather(1, actions[:, None]).squeeze(1)
    return -((chosen + values) * td_error.detach()).sum()


def advantages_and_returns(
    rewards: Tensor, values: Tensor, ends: Tensor, last_values: Tensor, discount: float, trace: float
) -> tuple[Tensor, Tensor]:
    """Generalized advantage estimation over (steps, worlds); a session that has ended earns no more."""
    # Unstated in the paper: time running out is part of the task (the agent is to arrive in time), so it ends a
    # session like the target does, and nothing is bootstrapped from beyond it.
    advantages = torch.zeros_like(rewards)
    running = torch.zeros_like(last_values)
    following = last_values
    for step in reversed(range(len(rewards))):
        going_on = 1 - ends[step]
        td_error = rewards[step] + discount * going_on * following - values[step]
        running = td_error + discount * trace * going_on * running
        advantages[step], following = running, values[step]
    return advantages, advantages + values
