"""Planning: an action module that finds its way round walls, where the paper leaves route planning open.

Every cell is judged by itself: from its attention and its obstacle, a small network tells what the cell is worth, and
what it costs to cross it. Then worth spreads: in each step a cell takes the best of its own worth and its neighbors'
plans, less its own cost. After as many steps as a way is long, the agent goes to the best of the four cells beside it.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.action import Navigator
from xworld.agent.agent import Agent
from xworld.agent.cpu.plan import spread_scene_by_scene
from xworld.agent.gpu import fits_a_kernel
from xworld.agent.sizes import CELLS, PLAN_HIDDEN, PLAN_MAPS, PLAN_STEPS, VIEW

_ATTENTION_SCALE = 10.0
"""Attention starts at 1/169 in every cell: a larger input makes the first differences count."""
_SEEN = [CELLS // 2 + step for step in (0, -VIEW, VIEW, -1, 1)]
"""The agent's own cell, and those that up, down, left and right lead to."""
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

    def forward(self, attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 4) action logits and (scenes,) values."""
        seen = self._look_ahead(attention, environment)  # (5, scenes, plans)
        return self.policy(seen[1:]).squeeze(2).T, self.value(seen[0]).squeeze(1)

    def _look_ahead(self, attention: Tensor, environment: Tensor) -> Tensor:
        """The plans of `spread` that the agent looks at: in its own cell, and in the four beside it."""
        if fits_a_kernel(attention):
            from xworld.agent.gpu.plan import plan_in_one_kernel

            return plan_in_one_kernel(*_scale(attention, environment), self.cell, self.worth, self.cost)
        worth, cost = self.judge(attention, environment)
        if attention.is_cuda:
            return spread(worth, cost, PLAN_STEPS)[-1].transpose(0, 1)[_SEEN]
        return spread_scene_by_scene(worth, cost, PLAN_STEPS)

    def appeal(self, attention: Tensor, environment: Tensor) -> Tensor:
        """(steps + 1, scenes, 169) How much each cell appeals to the policy, before the first step and after each."""
        plans = spread(*self.judge(attention, environment), PLAN_STEPS)
        appeal: Tensor = self.policy(plans).squeeze(3)
        return appeal

    def judge(self, attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
        """(scenes, 169, plans) What each cell is worth, and what it costs to cross it."""
        cells = self.cell(torch.stack(_scale(attention, environment), dim=2))
        return self.worth(cells), functional.softplus(self.cost(cells))


def _scale(attention: Tensor, environment: Tensor) -> tuple[Tensor, Tensor]:
    # Of the environment map only differences between cells matter: it may sit anywhere.
    return _ATTENTION_SCALE * attention, functional.layer_norm(environment, (CELLS,))


def spread(worth: Tensor, cost: Tensor, steps: int) -> Tensor:
    """(steps + 1, scenes, 169, plans) The plans after each step; the first are the cells' own worth."""
    plans, (scenes, _, count) = [worth], worth.shape
    for _ in range(steps):
        maps = functional.pad(plans[-1].view(scenes, VIEW, VIEW, count), (0, 0, 1, 1, 1, 1), value=-torch.inf)
        up, down, left, right = maps[:, :-2, 1:-1], maps[:, 2:, 1:-1], maps[:, 1:-1, :-2], maps[:, 1:-1, 2:]
        best = torch.stack([up, down, left, right]).amax(dim=0).flatten(1, 2)
        plans.append(torch.maximum(best - cost, worth))
    return torch.stack(plans)


class PlanningAgent(Agent):
    """The paper's framework with a planner in place of its action module."""

    def __init__(self, words: int, atlas: Tensor, temperature: float = 1.0) -> None:
        super().__init__(words, atlas, temperature, Planner)
