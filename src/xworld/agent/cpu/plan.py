"""The planner on a CPU: worth spreads in one scene after another, so that its maps stay in the cache of a core."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.agent.cpu import compiled
from xworld.agent.sizes import PLAN_SEEN, VIEW

_SIDE = VIEW + 2
"""The side of a map with a border, so that every cell has four neighbors."""
_CENTER = _SIDE * _SIDE // 2
_MOVES = -_SIDE, _SIDE, -1, 1
"""From a cell to those that up, down, left and right lead to."""
Maps = NDArray[np.floating[Any]]


def spread_scene_by_scene(worth: Tensor, cost: Tensor, steps: int) -> Tensor:
    """(5, scenes, plans) The plans after the last step that the agent looks at, from maps of (scenes, 169, plans)."""
    seen: Tensor = _Spread.apply(worth, cost, steps)  # type: ignore[no-untyped-call]
    return seen


class _Spread(torch.autograd.Function):
    """A plan is the worth of one cell less the costs on the way there; its gradient follows that way."""

    @staticmethod
    def forward(ctx: Any, worth: Tensor, cost: Tensor, steps: int) -> Tensor:
        """Save the two maps alone: to spread again takes less time than to write all steps to memory."""
        worth, cost = worth.contiguous(), cost.contiguous()
        ctx.save_for_backward(worth, cost)
        ctx.steps = steps
        seen = worth.new_empty(PLAN_SEEN, len(worth), worth.shape[2])
        _in_threads(_look_ahead, steps, worth, cost, seen)
        return seen

    @staticmethod
    def backward(ctx: Any, by_seen: Tensor) -> tuple[Tensor, Tensor, None]:
        """From the five cells along the ways that were best."""
        worth, cost = ctx.saved_tensors
        by_worth, by_cost = torch.zeros_like(worth), torch.zeros_like(cost)
        _in_threads(_trace_back, ctx.steps, worth, cost, by_seen.contiguous(), by_worth, by_cost)
        return by_worth, by_cost, None


def _in_threads(work: Callable[..., None], steps: int, worth: Tensor, *others: Tensor) -> None:
    """Divide the scenes among as many threads as PyTorch uses."""
    arrays = [tensor.detach().numpy() for tensor in (worth, *others)]
    threads = max(1, min(torch.get_num_threads(), len(worth)))
    bounds = [len(worth) * part // threads for part in range(threads + 1)]
    parts = [Thread(target=work, args=(*bounds[part : part + 2], steps, *arrays)) for part in range(1, threads)]
    for part in parts:
        part.start()
    work(*bounds[:2], steps, *arrays)
    for part in parts:
        part.join()


@compiled
def _look_ahead(start: int, stop: int, steps: int, worth: Maps, cost: Maps, seen: Maps) -> None:
    plans = np.full((2, _SIDE * _SIDE, worth.shape[2]), -np.inf, worth.dtype)
    for scene in range(start, stop):
        _begin(worth[scene], plans[0])
        for step in range(steps):
            _step(worth[scene], cost[scene], plans[step % 2], plans[1 - step % 2])
        seen[0, scene] = plans[steps % 2, _CENTER]
        for move in range(4):
            seen[1 + move, scene] = plans[steps % 2, _CENTER + _MOVES[move]]


@compiled
def _trace_back(
    start: int, stop: int, steps: int, worth: Maps, cost: Maps, by_seen: Maps, by_worth: Maps, by_cost: Maps
) -> None:
    plans = np.full((steps + 1, _SIDE * _SIDE, worth.shape[2]), -np.inf, worth.dtype)
    for scene in range(start, stop):
        _begin(worth[scene], plans[0])
        for step in range(steps):
            _step(worth[scene], cost[scene], plans[step], plans[step + 1])
        for place in range(PLAN_SEEN):
            first = _CENTER if place == 0 else _CENTER + _MOVES[place - 1]
            for plan in range(worth.shape[2]):
                cell, left, gradient = first, steps, by_seen[place, scene, plan]
                while left and plans[left, cell, plan] > plans[0, cell, plan]:  # else the plan is to stay here
                    by_cost[scene, _inside(cell), plan] -= gradient
                    left -= 1
                    cell = _best_neighbor(plans[left], cell, plan)
                by_worth[scene, _inside(cell), plan] += gradient


@compiled
def _begin(worth: Maps, plans: Maps) -> None:
    """The first plans are the cells' own worth."""
    for row in range(VIEW):
        first = (row + 1) * _SIDE + 1
        plans[first : first + VIEW] = worth[row * VIEW : (row + 1) * VIEW]


@compiled
def _step(worth: Maps, cost: Maps, last: Maps, new: Maps) -> None:
    """Every cell takes its own worth, or the best of its neighbors' plans less its cost."""
    for row in range(VIEW):
        for column in range(VIEW):
            own, cell = row * VIEW + column, (row + 1) * _SIDE + column + 1
            for plan in range(worth.shape[1]):
                vertical = max(last[cell - _SIDE, plan], last[cell + _SIDE, plan])
                horizontal = max(last[cell - 1, plan], last[cell + 1, plan])
                new[cell, plan] = max(max(vertical, horizontal) - cost[own, plan], worth[own, plan])


@compiled
def _best_neighbor(plans: Maps, cell: int, plan: int) -> int:
    """The neighbor with the best plan; the first of equal ones."""
    best = cell + _MOVES[0]
    for move in range(1, 4):
        if plans[cell + _MOVES[move], plan] > plans[best, plan]:
            best = cell + _MOVES[move]
    return best


@compiled
def _inside(cell: int) -> int:
    """The number of a cell in a map without a border."""
    return (cell // _SIDE - 1) * VIEW + cell % _SIDE - 1
