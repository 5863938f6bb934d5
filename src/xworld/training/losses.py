"""The losses for commands and for questions."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True)
class ActorCriticLoss:
    """The parts of the loss for commands, each a mean over samples."""

    policy: Tensor
    value: Tensor
    entropy: Tensor


def actor_critic_loss(
    logits: Tensor, values: Tensor, actions: Tensor, td_errors: Tensor, behavior: Tensor | None
) -> ActorCriticLoss:
    """The paper's gradient: log policy and value both move in proportion to the TD error, r + gamma V' - V.

    `behavior` are the probabilities with which the actions were taken. Given them, the policy moves in proportion to
    min(1, policy / behavior) as well: replayed actions that the policy would hardly take any more hardly count.
    """
    log_policy = logits.log_softmax(dim=1)
    taken = log_policy.gather(1, actions[:, None]).squeeze(1)
    ratios = 1.0 if behavior is None else (taken.detach().exp() / behavior).clamp(max=1.0)
    return ActorCriticLoss(
        policy=-(ratios * td_errors * taken).mean(),
        value=-(values * td_errors).mean(),
        entropy=-(log_policy.exp() * log_policy).sum(dim=1).mean(),
    )


def recognition_loss(scores: Tensor, answers: Tensor) -> Tensor:
    """Cross entropy of the correct answers; samples without a question have answer 0 and are left out."""
    asked = (answers > 0).to(scores.dtype)
    loss = functional.cross_entropy(scores[:, 1:], (answers - 1).clamp(min=0), reduction="none")
    return (loss * asked).sum() / asked.sum().clamp(min=1)


def count_answers(scores: Tensor, answers: Tensor) -> Tensor:
    """Two numbers: how many questions were answered correctly, and how many were asked."""
    asked = answers > 0
    correct = (scores.argmax(dim=1) == answers) & asked
    return torch.stack([correct.sum(), asked.sum()]).float()
