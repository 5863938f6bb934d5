"""The losses against what they are by definition."""

import math

import pytest
import torch

from xworld.training.losses import actor_critic_loss, count_answers, recognition_loss

LOGITS = torch.tensor([[0.5, -1.0, 2.0, 0.0], [0.0, 0.3, -0.2, 1.0], [3.0, 0.0, 0.0, 0.0]], dtype=torch.float64)
VALUES = torch.tensor([0.4, -0.7, 0.1], dtype=torch.float64)
ACTIONS = torch.tensor([2, 0, 1])
TD_ERRORS = torch.tensor([1.5, -0.25, 0.8], dtype=torch.float64)
BEHAVIOR = torch.tensor([0.9, 0.1, 0.5], dtype=torch.float64)
"""The policy would take the second action more often by now, and the others less often."""


def policies() -> list[list[float]]:
    """The softmax of all logits, number by number."""
    exponentials = [[math.exp(logit) for logit in row] for row in LOGITS.tolist()]
    return [[number / sum(row) for number in row] for row in exponentials]


def test_without_behavior_the_gradient_is_the_printed_one() -> None:
    """Minus the mean of (grad log pi + grad V) (r + gamma V' - V), with numbers put in by hand."""
    logits, values = LOGITS.clone().requires_grad_(), VALUES.clone().requires_grad_()
    loss = actor_critic_loss(logits, values, ACTIONS, TD_ERRORS, None)
    (loss.policy + loss.value).backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert values.grad is not None
    for sample, policy in enumerate(policies()):
        expected = [
            -(float(action == ACTIONS[sample]) - chance) * TD_ERRORS[sample].item() / 3
            for action, chance in enumerate(policy)
        ]
        assert logits.grad[sample].tolist() == pytest.approx(expected)
    assert torch.allclose(values.grad, -TD_ERRORS / 3)


def test_with_behavior_an_action_counts_by_how_likely_it_still_is() -> None:
    gradients = []
    for behavior in (None, BEHAVIOR):
        logits, values = LOGITS.clone().requires_grad_(), VALUES.clone().requires_grad_()
        loss = actor_critic_loss(logits, values, ACTIONS, TD_ERRORS, behavior)
        gradients.append(torch.autograd.grad(loss.policy + loss.value, (logits, values)))
    (plain, plain_values), (weighted, weighted_values) = gradients
    ratios = [policies()[sample][ACTIONS[sample]] / BEHAVIOR[sample].item() for sample in range(3)]
    assert ratios[1] > 1 > max(ratios[0], ratios[2])
    for sample, ratio in enumerate(ratios):
        torch.testing.assert_close(weighted[sample], min(1.0, ratio) * plain[sample])
    torch.testing.assert_close(weighted_values, plain_values)


def test_the_parts_are_means_over_samples() -> None:
    loss = actor_critic_loss(LOGITS, VALUES, ACTIONS, TD_ERRORS, None)
    taken = [math.log(policy[action]) for policy, action in zip(policies(), ACTIONS.tolist(), strict=True)]
    errors, values = TD_ERRORS.tolist(), VALUES.tolist()
    assert loss.policy.item() == pytest.approx(-sum(e * log for e, log in zip(errors, taken, strict=True)) / 3)
    assert loss.value.item() == pytest.approx(-sum(e * value for e, value in zip(errors, values, strict=True)) / 3)
    entropies = [-sum(chance * math.log(chance) for chance in policy) for policy in policies()]
    assert loss.entropy.item() == pytest.approx(sum(entropies) / 3)


def test_the_entropy_of_equal_chances_is_the_highest() -> None:
    loss = actor_critic_loss(torch.zeros(3, 4), torch.ones(3), ACTIONS, torch.randn(3), None)
    assert loss.entropy.item() == pytest.approx(math.log(4))


def test_an_action_that_the_policy_has_ruled_out_gives_finite_gradients() -> None:
    logits = torch.tensor([[200.0, 0.0, 0.0, 0.0]], requires_grad=True)
    loss = actor_critic_loss(logits, torch.zeros(1), torch.tensor([1]), torch.ones(1), torch.tensor([0.25]))
    (gradient,) = torch.autograd.grad(loss.policy - 0.1 * loss.entropy, logits)
    assert gradient.isfinite().all()
    assert gradient.abs().max() < 1e-6


def test_only_questions_that_were_asked_count() -> None:
    scores = torch.zeros(3, 5)
    scores[0, 2] = 10.0
    assert recognition_loss(scores, torch.tensor([2, 0, 0])).item() < 1e-3
    assert recognition_loss(scores, torch.tensor([1, 0, 0])).item() > 5
    assert recognition_loss(scores, torch.tensor([0, 0, 0])).item() == 0


def test_the_loss_of_answers_is_their_mean_cross_entropy() -> None:
    scores = torch.tensor([[-torch.inf, 1.0, 2.0], [-torch.inf, 3.0, 2.0], [-torch.inf, 0.0, 1.0]])
    chances = [math.exp(2) / (math.exp(1) + math.exp(2)), math.exp(0) / (math.exp(0) + math.exp(1))]
    expected = -sum(math.log(chance) for chance in chances) / 2
    assert recognition_loss(scores, torch.tensor([2, 0, 1])).item() == pytest.approx(expected)


def test_answers_are_counted_where_something_was_asked() -> None:
    scores = torch.tensor([[-torch.inf, 1.0, 2.0], [-torch.inf, 3.0, 2.0], [-torch.inf, 0.0, 1.0]])
    assert count_answers(scores, torch.tensor([2, 0, 1])).tolist() == [1, 2]
