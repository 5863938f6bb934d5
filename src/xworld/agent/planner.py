"""Planning: an action module that finds its way round walls, where the paper leaves route planning open.

Every cell is judged by itself: from its attention and its obstacle, a small network tells what the cell is worth, and
what it costs to cross it. Then worth spreads: in each step a cell takes the best of its own worth and its neighbors'
plans, less its own cost. After as many steps as a way is long, the agent goes to the best of the four cells beside it.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.action import Navigator
from xworld.agent.agent import Agent
from xworld.agent.sizes import CELLS, PLAN_HIDDEN, PLAN_MAPS, PLAN_STEPS, VIEW

_SIDE = VIEW + 2
"""Plans have a border of cells that are worth nothing, so that every cell has four neighbors."""
_INSIDE = slice(1, 1 + VIEW)
_STEPS = -_SIDE, _SIDE, -1, 1
"""From a cell to those that up, down, left and right lead to, row by row."""
_CENTER = _SIDE * _SIDE // 2
_ATTENTION_SCALE = 10.0
"""Attention starts at 1/169 in every cell: a larger input makes the first differences count."""
_FIRST_COST = -2.5
"""The bias of costs at the start: softplus makes 0.08 of it, so that even distant goals are worth a way."""


class Planner(Navigator):
    """Several plans at once, each with a worth and a cost of its own for every cell."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.Sequential(nn.Linear(2, PLAN_HIDDEN), nn.ReLU())
        self.worth = nn.Linear(PLAN_HIDDEN, PLAN_MAPS)
        self.cost = nn.Linear(PLAN_HIDDEN, PLAN_MAPS)
        nn.init.constant_(self.cost.bias, _FIRST_COST)
        self.policy = nn.Sequential(nn.Linear(PLAN_MAPS, PLAN_HIDDEN), nn.ReLU(), nn.Linear(PLAN_HIDDEN, 1))
        self.value = nn.Sequential(nn.Linear(PLAN_MAPS, PLAN_HIDDEN), nn.ReLU(), nn.Linear(PLAN_HIDDEN, 1))
        self.steps: Tensor
        self.register_buffer("steps", torch.tensor(_STEPS), persistent=False)

    def forward(self, attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values."""
        seen = self._look_ahead(attention, environment)  # (5, scenes, plans)
        return self.policy(seen[1:]).squeeze(2).T, self.value(seen[0]).squeeze(1)

    def _look_ahead(self, attention: Tensor, environment: Tensor) -> Tensor:
        """The plans after the last step that the agent looks at: in its own cell, and in the four beside it."""
        if attention.is_cuda:
            from xworld.agent.gpu.plan import plan_in_one_kernel

            return plan_in_one_kernel(*_scale(attention, environment), self.cell, self.worth, self.cost)
        seen: Tensor = _Spread.apply(*self.judge(attention, environment), self.steps)  # type: ignore[no-untyped-call]
        return seen

    def appeal(self, attention: Tensor, environment: Tensor) -> Tensor:
        """(steps + 1, scenes, 169) How much each cell appeals to the policy, before the first step and after each."""
        worth, cost = self.judge(attention, environment)
        plans = spread(worth, cost).view(-1, _SIDE, _SIDE, *worth.shape[1:])[:, _INSIDE, _INSIDE]
        appeal: Tensor = self.policy(plans.flatten(1, 2)).squeeze(3)
        return appeal.transpose(1, 2)

    def judge(self, attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
        """(169, scenes, plans) What each cell is worth, and what it costs to cross it."""
        attention, obstacles = _scale(attention, environment)
        cells = self.cell(torch.stack([attention.T, obstacles.T], dim=2))
        return self.worth(cells), functional.softplus(self.cost(cells))


def _scale(attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
    # Of the environment map only differences between cells matter: it may sit anywhere.
    return _ATTENTION_SCALE * attention, functional.layer_norm(environment, (CELLS,))


def spread(worth: Tensor, cost: Tensor) -> Tensor:
    """(steps + 1, 225, scenes x plans) The plans after each step, with a border; the first are the cells' own worth.

    Cells come first: a shift by one cell is then a slice, and all operations run over contiguous memory.
    """
    worth, cost = worth.reshape(VIEW, VIEW, -1), cost.reshape(VIEW, VIEW, -1)
    plans = worth.new_full((PLAN_STEPS + 1, _SIDE, _SIDE, worth.shape[2]), -torch.inf)
    inside = plans[:, _INSIDE, _INSIDE]
    inside[0] = worth
    for step in range(PLAN_STEPS):
        up_right, left_down = _around(plans[step])
        best = torch.maximum(up_right, left_down)
        best = torch.maximum(best[0], best[1])
        torch.maximum(best.sub_(cost), worth, out=inside[step + 1])
    return plans.flatten(1, 2)


def _around(plan: Tensor) -> Tensor:
    """(2, 2, 13, 13, scenes x plans) The four neighbors of each cell, as a view of a map with a border."""
    row, column = plan.stride()[:2]
    # From the neighbor above: a row down and a column back is the left one, a column on the right one, both the lower.
    strides = row - column, row + column, row, column, 1
    return plan.as_strided((2, 2, VIEW, VIEW, plan.shape[2]), strides, plan.storage_offset() + column)


class _Spread(torch.autograd.Function):
    """The plans after the last step that the agent looks at: in its own cell, and in the four beside it.

    A plan is the worth of one cell less the costs on the way there, so its gradient is that of these numbers alone:
    the backward pass follows the five ways instead of going through all maps again.
    """

    @staticmethod
    def forward(ctx: Any, worth: Tensor, cost: Tensor, steps: Tensor) -> Tensor:
        """(5, scenes, plans) from (169, scenes, plans) worths and costs, and the four steps as numbers of cells."""
        plans = spread(worth, cost)
        ctx.save_for_backward(steps, plans)
        seen = [plans[-1, _CENTER + step] for step in (0, *_STEPS)]
        return torch.stack(seen).view(-1, *worth.shape[1:])

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        """From the five cells along the ways that were best."""
        (steps, plans), shape = ctx.saved_tensors, gradient.shape[1:]
        gradient = gradient.flatten(1)
        cells = (_CENTER + functional.pad(steps, (1, 0)))[:, None].expand_as(gradient)  # (5, scenes x plans)
        by_cost, by_worth = torch.zeros_like(plans[0]), torch.zeros_like(plans[0])
        for step in reversed(range(PLAN_STEPS)):
            moves = plans[step + 1].gather(0, cells) > plans[0].gather(0, cells)  # else it has arrived
            by_cost.scatter_add_(0, cells, torch.where(moves, -gradient, 0.0))
            beside = (cells + steps[:, None, None]).flatten(0, 1)
            best = plans[step].gather(0, beside).view(len(steps), *cells.shape).argmax(dim=0)
            cells = torch.where(moves, cells + steps[best], cells)
        by_worth.scatter_add_(0, cells, gradient)
        by_worth, by_cost = (
            maps.view(_SIDE, _SIDE, *shape)[_INSIDE, _INSIDE].flatten(0, 1) for maps in (by_worth, by_cost)
        )
        return by_worth, by_cost, None


class PlanningAgent(Agent):
    """The paper's framework with a planner in place of its action module."""

    def __init__(self, words: int, atlas: Tensor, temperature: float = 1.0) -> None:
        super().__init__(words, atlas, temperature, Planner)
