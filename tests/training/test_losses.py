"""The losses against what they are by definition."""

import numpy as np
import pytest
import torch

from xworld.training.losses import (
    actor_critic_loss,
    clipped_policy_loss,
    count_answers,
    gate_loss,
    recognition_loss,
)


def test_the_policy_moves_towards_what_went_well_and_no_further_than_the_clip() -> None:
    advantages = torch.tensor([1.0, -1.0])
    actions = torch.tensor([0, 0])
    for shift, moves in ((0.0, True), (5.0, False)):  # a policy that has moved far already is left where it is
        logits = torch.tensor([[shift, 0.0], [-shift, 0.0]], requires_grad=True)
        old = torch.log(torch.tensor([0.5, 0.5]))
        loss = clipped_policy_loss(logits, torch.zeros(2), actions, old, advantages, torch.zeros(2), clip_range=0.2)
        (gradient,) = torch.autograd.grad(loss.surrogate, logits)
        assert bool(gradient.any()) == moves
        if moves:
            assert gradient[0, 0] < 0 < gradient[1, 0]


def test_entropy_and_value_error() -> None:
    loss = clipped_policy_loss(
        torch.zeros(3, 4),
        torch.ones(3),
        torch.zeros(3, dtype=torch.long),
        torch.zeros(3),
        torch.randn(3),
        torch.zeros(3),
        0.2,
    )
    assert loss.entropy.item() == pytest.approx(np.log(4))
    assert loss.value.item() == pytest.approx(0.5)


def test_only_questions_that_were_asked_count() -> None:
    scores = torch.zeros(3, 5)
    scores[0, 2] = 10.0
    assert recognition_loss(scores, torch.tensor([2, 0, 0])).item() < 1e-3
    assert recognition_loss(scores, torch.tensor([1, 0, 0])).item() > 5
    assert recognition_loss(scores, torch.tensor([0, 0, 0])).item() == 0


def test_the_actor_critic_gradient_is_the_printed_one() -> None:
    """Minus the sum of (grad log pi + grad V) (r + gamma V' - V), with numbers put in by hand."""
    logits = torch.tensor([[0.5, -1.0, 2.0, 0.0], [0.0, 0.3, -0.2, 1.0]], dtype=torch.float64, requires_grad=True)
    values = torch.tensor([0.4, -0.7], dtype=torch.float64, requires_grad=True)
    actions, td_error = torch.tensor([2, 0]), torch.tensor([1.5, -0.25], dtype=torch.float64)
    actor_critic_loss(logits, values, actions, td_error).backward()  # type: ignore[no-untyped-call]
    policy = logits.detach().softmax(dim=1)
    taken = torch.nn.functional.one_hot(actions, 4)
    assert torch.allclose(logits.grad, -(taken - policy) * td_error[:, None])  # type: ignore[arg-type]
    assert torch.allclose(values.grad, -td_error)  # type: ignore[arg-type]


def test_answers_are_counted_where_something_was_asked() -> None:
    scores = torch.tensor([[-torch.inf, 1.0, 2.0], [-torch.inf, 3.0, 2.0], [-torch.inf, 0.0, 1.0]])
    assert count_answers(scores, torch.tensor([2, 0, 1])).tolist() == [1, 2]


def test_a_gate_that_is_shut_is_drawn_open_and_one_that_wavers_is_left() -> None:
    logits = torch.tensor([[-9.0, 0.0, 4.0]], requires_grad=True)
    gate_loss(logits).backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad.tolist() == [[-6.0, 0.0, pytest.approx(8 / 3)]]
