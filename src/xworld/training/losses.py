"""The losses for commands and for questions, and their targets: advantages, returns, and goals in hindsight."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

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
