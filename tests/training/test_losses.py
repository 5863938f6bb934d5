"""The losses against what they are by definition."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.teacher.simulator import Simulator
from xworld.training.losses import (
    actor_critic_loss,
    clipped_policy_loss,
    count_answers,
    gate_loss,
    hindsight_loss,
    recognition_loss,
)
from xworld.training.rollout import UNKNOWN_GOAL, estimate_advantages, find_goals
from xworld.world.cells import SIDE, VIEW


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


@pytest.fixture(scope="module")
def wandering() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Goals found after random walks, the targets as the worlds have them, and which steps ended sessions, and how."""
    simulator = Simulator(64)
    simulator.reset(range(64))
    generator, steps = np.random.default_rng(0), []
    for _ in range(80):
        worlds = simulator.worlds
        places = np.stack([worlds["agent_row"], worlds["agent_column"]], axis=1)
        targets = np.stack([worlds["target_row"], worlds["target_column"]], axis=1) - places + SIDE - 1
        actions = generator.integers(4, size=64)
        _, reached, truncated = simulator.step(actions)
        steps.append((places, actions, reached, reached | truncated, targets[:, 0] * VIEW + targets[:, 1]))
    places, actions, reached, over, cells = (np.stack(parts) for parts in zip(*steps, strict=True))
    return find_goals(places, actions, reached, over), cells, reached, over


def test_a_goal_that_is_known_is_the_target(wandering: tuple[NDArray[np.int64], ...]) -> None:
    goals, targets, reached, _ = wandering
    known = goals != UNKNOWN_GOAL
    assert reached.sum() > 20
    assert known.sum() > reached.sum()
    np.testing.assert_array_equal(goals[known], targets[known])


def test_it_is_known_exactly_in_sessions_that_will_arrive(wandering: tuple[NDArray[np.int64], ...]) -> None:
    goals, _, reached, over = wandering
    for world in range(goals.shape[1]):
        for step in range(len(goals)):
            ends = np.flatnonzero(over[step:, world])
            arrives = len(ends) > 0 and reached[step + ends[0], world]
            assert (goals[step, world] != UNKNOWN_GOAL) == arrives


def test_the_loss_draws_attention_to_the_goal_and_to_no_other_scene() -> None:
    scores = torch.zeros(3, VIEW * VIEW, requires_grad=True)
    goals = torch.tensor([5, UNKNOWN_GOAL, 7])
    hindsight_loss(scores.softmax(dim=1), goals).backward()  # type: ignore[no-untyped-call]
    assert scores.grad is not None
    assert (scores.grad[[0, 2], goals[[0, 2]]] < 0).all()
    assert [int(row.argmin()) for row in scores.grad[[0, 2]]] == [5, 7]
    assert not scores.grad[1].any()


def test_the_loss_of_attention_that_is_lost_is_finite_and_of_no_goals_nothing() -> None:
    attention = torch.full((2, VIEW * VIEW), -1e-9)
    assert torch.isfinite(hindsight_loss(attention, torch.tensor([0, 1])))
    assert hindsight_loss(attention, torch.tensor([UNKNOWN_GOAL, UNKNOWN_GOAL])) == 0


def slow_advantage(rewards: Tensor, values: Tensor, dones: Tensor, last: Tensor, step: int, world: int) -> float:
    """The sum of discounted surprises until the session dones, one world and one step at a time."""
    total, weight = 0.0, 1.0
    for later in range(step, len(rewards)):
        following = last[world] if later + 1 == len(rewards) else values[later + 1, world]
        continues = 1 - dones[later, world]
        total += weight * float(rewards[later, world] + 0.99 * continues * following - values[later, world])
        if not continues:
            break
        weight *= 0.99 * 0.95
    return total


def test_advantages_are_discounted_sums_of_td_errors() -> None:
    generator = torch.Generator().manual_seed(0)
    rewards, values = torch.randn(2, 9, 5, generator=generator, dtype=torch.float64)
    dones = (torch.rand(9, 5, generator=generator) < 0.3).double()
    last = torch.randn(5, generator=generator, dtype=torch.float64)
    advantages, returns = estimate_advantages(rewards, values, dones, last, 0.99, 0.95)
    for step in range(9):
        for world in range(5):
            assert advantages[step, world] == pytest.approx(slow_advantage(rewards, values, dones, last, step, world))
    assert torch.allclose(returns, advantages + values)
