"""The planner: cells are judged, and worth spreads, in one kernel; gradients go back in two."""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor, nn

from xworld.agent.gpu.blocks import power_of_two
from xworld.agent.sizes import CELLS, PLAN_HIDDEN, PLAN_MAPS, PLAN_SEEN, PLAN_STEPS, VIEW


def plan_in_one_kernel(
    attention: Tensor, obstacles: Tensor, cell: nn.Module, worth: nn.Module, cost: nn.Module
) -> Tensor:
    """(5, scenes, plans) The plans after the last step that the agent looks at, from two maps of (scenes, 169).

    `cell` is the layer from the two maps to hidden units, `worth` and `cost` those from hidden units to plans.
    """
    parameters = [parameter for layer in (cell, worth, cost) for parameter in layer.parameters()]
    seen: Tensor = _Plan.apply(torch.stack([attention, obstacles], dim=1), *parameters)
    return seen


class _Plan(torch.autograd.Function):
    """A plan is the worth of one cell less the costs on the way there; its gradient follows that way."""

    @staticmethod
    def forward(ctx: Any, maps: Tensor, *parameters: Tensor) -> Tensor:
        """Save from which neighbor each cell took its plan, step by step."""
        scenes, learning = len(maps), any(ctx.needs_input_grad)
        seen, groups = maps.new_empty(PLAN_SEEN, scenes, PLAN_MAPS), triton.cdiv(scenes, _SCENES)
        programs = groups, PLAN_MAPS // _PART
        plans = maps.new_empty(*programs, 2, _LANES, _PART)
        moves = maps.new_empty(PLAN_STEPS if learning else 0, *programs, _LANES, _PART, dtype=torch.int8)
        _plan[programs](
            maps, *parameters, plans, moves, seen, scenes,
            STEPS=PLAN_STEPS, VIEW=VIEW, HIDDEN=PLAN_HIDDEN, PLANS=PLAN_MAPS, PART=_PART, SCENES=_SCENES,
            LANES=_LANES, LEARNING=learning, num_warps=8, num_stages=1,
        )  # fmt: skip
        ctx.save_for_backward(maps, moves, *parameters)
        return seen

    @staticmethod
    def backward(ctx: Any, by_seen: Tensor) -> tuple[Tensor, ...]:
        """From the five cells along the ways that were best, and through the judgments of the cells on them."""
        maps, moves, *parameters = ctx.saved_tensors
        scenes, by_maps = len(maps), torch.empty_like(maps)
        by_worth, by_cost = maps.new_zeros(2, scenes, CELLS, PLAN_MAPS)
        _follow_ways[(scenes,)](
            moves, by_seen.contiguous(), by_worth, by_cost, scenes,
            STEPS=PLAN_STEPS, VIEW=VIEW, PLANS=PLAN_MAPS, PART=_PART, SCENES=_SCENES, LANES=_LANES, num_warps=1,
        )  # fmt: skip
        sizes, programs = [parameter.numel() for parameter in parameters], triton.cdiv(scenes * CELLS, _ROWS * _TIMES)
        by_parameters = maps.new_empty(programs, sum(sizes))
        _judge_backward[(programs,)](
            maps, *parameters, by_worth, by_cost, by_maps, by_parameters, scenes * CELLS,
            CELLS=CELLS, HIDDEN=PLAN_HIDDEN, PLANS=PLAN_MAPS, ROWS=_ROWS, TIMES=_TIMES, num_warps=8, num_stages=1,
        )  # fmt: skip
        sums = by_parameters.sum(dim=0).split(sizes)
        return by_maps, *(part.view_as(whole) for part, whole in zip(sums, parameters, strict=True))


_PART, _SCENES = 4, 3
"""Plans and scenes of one program. A thread loads four numbers at a time; three scenes leave few threads idle."""
_LANES = power_of_two(_SCENES * CELLS)
_ROWS, _TIMES = 64, 4
"""Cells whose gradients fit into registers, and how many times as many one program adds up."""


@triton.jit
def _plan(
    maps, cell_weight, cell_bias, worth_weight, worth_bias, cost_weight, cost_bias, plans, moves, seen, scenes,
    STEPS: tl.constexpr, VIEW: tl.constexpr, HIDDEN: tl.constexpr, PLANS: tl.constexpr, PART: tl.constexpr,
    SCENES: tl.constexpr, LANES: tl.constexpr, LEARNING: tl.constexpr,
):  # fmt: skip
    CELLS: tl.constexpr = VIEW * VIEW
    lane, plan = tl.arange(0, LANES), tl.program_id(1) * PART + tl.arange(0, PART)
    scene, cell = (tl.program_id(0) * SCENES + lane // CELLS)[:, None], (lane % CELLS)[:, None]
    exists = (lane < SCENES * CELLS)[:, None] & (scene < scenes)
    worth, cost = _judge(
        maps + scene * 2 * CELLS + cell, exists, cell_weight, cell_bias, worth_weight, worth_bias, cost_weight,
        cost_bias, plan, CELLS, HIDDEN,
    )  # fmt: skip
    here = lane[:, None] * PART + tl.arange(0, PART)
    program = tl.program_id(0) * (PLANS // PART) + tl.program_id(1)
    up, down = exists & (cell >= VIEW), exists & (cell < CELLS - VIEW)
    left, right = exists & (cell % VIEW > 0), exists & (cell % VIEW < VIEW - 1)
    value = worth
    for step in range(STEPS):
        # Two buffers in turn: nobody overwrites what a neighbor has yet to read.
        last = plans + (program * 2 + step % 2) * LANES * PART + here
        tl.store(last, value, mask=exists)
        tl.debug_barrier()
        best = tl.load(last - VIEW * PART, mask=up, other=float("-inf"))
        move = tl.zeros((LANES, PART), tl.int8)
        beside = tl.load(last + VIEW * PART, mask=down, other=float("-inf"))
        move = tl.where(beside > best, 1, move)
        best = tl.maximum(best, beside)
        beside = tl.load(last - PART, mask=left, other=float("-inf"))
        move = tl.where(beside > best, 2, move)
        best = tl.maximum(best, beside)
        beside = tl.load(last + PART, mask=right, other=float("-inf"))
        move = tl.where(beside > best, 3, move)
        best = tl.maximum(best, beside) - cost
        if LEARNING:
            stays = tl.where(best > worth, move, 4)
            programs = tl.num_programs(0) * (PLANS // PART)
            tl.store(moves + (step * programs + program) * LANES * PART + here, stays, mask=exists)
        value = tl.maximum(best, worth)
    for place in range(5):
        beside = CELLS // 2 + _step_of(place - 1, VIEW)
        tl.store(seen + (place * scenes + scene) * PLANS + plan, value, mask=exists & (cell == beside))


@triton.jit
def _judge(
    place, exists, cell_weight, cell_bias, worth_weight, worth_bias, cost_weight, cost_bias, plan,
    CELLS: tl.constexpr, HIDDEN: tl.constexpr,
):  # fmt: skip
    """(lanes, plans) What cells are worth, and what they cost: unit by unit, for too few plans to multiply matrices."""
    attention, obstacle = tl.load(place, mask=exists, other=0.0), tl.load(place + CELLS, mask=exists, other=0.0)
    worth, cost = tl.load(worth_bias + plan)[None, :], tl.load(cost_bias + plan)[None, :]
    for unit in tl.static_range(HIDDEN):
        hidden = attention * tl.load(cell_weight + 2 * unit) + obstacle * tl.load(cell_weight + 2 * unit + 1)
        hidden = tl.maximum(hidden + tl.load(cell_bias + unit), 0.0)
        worth += hidden * tl.load(worth_weight + plan * HIDDEN + unit)[None, :]
        cost += hidden * tl.load(cost_weight + plan * HIDDEN + unit)[None, :]
    return worth, tl.maximum(cost, 0.0) + tl.log(1 + tl.exp(-tl.abs(cost)))  # softplus


@triton.jit
def _follow_ways(
    moves, by_seen, by_worth, by_cost, scenes, STEPS: tl.constexpr, VIEW: tl.constexpr, PLANS: tl.constexpr,
    PART: tl.constexpr, SCENES: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    """Five ways side by side, since each step of one waits for the memory."""
    scene, plan, place = tl.program_id(0), tl.arange(0, PLANS), scenes * PLANS
    CELLS: tl.constexpr = VIEW * VIEW
    PARTS: tl.constexpr = PLANS // PART
    programs, program = tl.cdiv(scenes, SCENES) * PARTS, scene // SCENES * PARTS + plan // PART
    own_moves = moves + program * LANES * PART + scene % SCENES * CELLS * PART + plan % PART
    own_worth, own_cost = by_worth + scene * CELLS * PLANS + plan, by_cost + scene * CELLS * PLANS + plan
    here = tl.zeros((PLANS,), tl.int32) + CELLS // 2
    above, below, left, right = here - VIEW, here + VIEW, here - 1, here + 1
    by_here = tl.load(by_seen + scene * PLANS + plan)
    by_above = tl.load(by_seen + scene * PLANS + plan + place)
    by_below = tl.load(by_seen + scene * PLANS + plan + 2 * place)
    by_left = tl.load(by_seen + scene * PLANS + plan + 3 * place)
    by_right = tl.load(by_seen + scene * PLANS + plan + 4 * place)
    for back in range(STEPS):
        taken = own_moves + (STEPS - 1 - back) * programs * LANES * PART
        from_here, from_above = tl.load(taken + here * PART), tl.load(taken + above * PART)
        from_below, from_left = tl.load(taken + below * PART), tl.load(taken + left * PART)
        from_right = tl.load(taken + right * PART)
        here = _follow(own_cost, here, from_here, by_here, VIEW, PLANS)
        above = _follow(own_cost, above, from_above, by_above, VIEW, PLANS)
        below = _follow(own_cost, below, from_below, by_below, VIEW, PLANS)
        left = _follow(own_cost, left, from_left, by_left, VIEW, PLANS)
        right = _follow(own_cost, right, from_right, by_right, VIEW, PLANS)
    tl.atomic_add(own_worth + here * PLANS, by_here)
    tl.atomic_add(own_worth + above * PLANS, by_above)
    tl.atomic_add(own_worth + below * PLANS, by_below)
    tl.atomic_add(own_worth + left * PLANS, by_left)
    tl.atomic_add(own_worth + right * PLANS, by_right)


@triton.jit
def _follow(own_cost, cell, move, gradient, VIEW: tl.constexpr, PLANS: tl.constexpr):
    """The cell from which the plan of a cell came, after the cost of the step there has its gradient."""
    # Every lane has a plan of its own: no other one adds to these places, so the order of sums is always the same.
    tl.atomic_add(own_cost + cell * PLANS, -gradient, mask=move < 4)  # else the plan is the cell's own worth
    return cell + _step_of(move.to(tl.int32), VIEW)


@triton.jit
def _judge_backward(
    maps, cell_weight, cell_bias, worth_weight, worth_bias, cost_weight, cost_bias,
    by_worth, by_cost, by_maps, by_parameters, rows,
    CELLS: tl.constexpr, HIDDEN: tl.constexpr, PLANS: tl.constexpr, ROWS: tl.constexpr, TIMES: tl.constexpr,
):  # fmt: skip
    """Through the three layers, for some cells of any scenes."""
    plan, unit = tl.arange(0, PLANS), tl.arange(0, HIDDEN)
    to_worth = tl.load(worth_weight + plan[:, None] * HIDDEN + unit)
    to_cost = tl.load(cost_weight + plan[:, None] * HIDDEN + unit)
    from_attention, from_obstacle = tl.load(cell_weight + 2 * unit), tl.load(cell_weight + 2 * unit + 1)
    worth_weights, cost_weights = tl.zeros((PLANS, HIDDEN), tl.float32), tl.zeros((PLANS, HIDDEN), tl.float32)
    worth_biases, cost_biases = tl.zeros((PLANS,), tl.float32), tl.zeros((PLANS,), tl.float32)
    attention_weights, obstacle_weights = tl.zeros((HIDDEN,), tl.float32), tl.zeros((HIDDEN,), tl.float32)
    cell_biases = tl.zeros((HIDDEN,), tl.float32)
    for time in range(TIMES):
        row = (tl.program_id(0) * TIMES + time) * ROWS + tl.arange(0, ROWS)
        exists, place = row < rows, row // CELLS * 2 * CELLS + row % CELLS
        attention, obstacle, hidden = _hidden(maps + place, exists, cell_weight, cell_bias, CELLS, HIDDEN)
        judged = row[:, None] * PLANS + plan
        worths = tl.load(by_worth + judged, mask=exists[:, None], other=0.0)
        costs = tl.load(by_cost + judged, mask=exists[:, None], other=0.0)
        costs *= tl.sigmoid(_layer(hidden, cost_weight, cost_bias, plan, HIDDEN))
        by_hidden = tl.dot(worths, to_worth, input_precision="tf32") + tl.dot(costs, to_cost, input_precision="tf32")
        by_hidden = tl.where(hidden > 0, by_hidden, 0.0)
        tl.store(by_maps + place, tl.sum(by_hidden * from_attention[None, :], axis=1), mask=exists)
        tl.store(by_maps + place + CELLS, tl.sum(by_hidden * from_obstacle[None, :], axis=1), mask=exists)
        attention_weights += tl.sum(by_hidden * attention[:, None], axis=0)
        obstacle_weights += tl.sum(by_hidden * obstacle[:, None], axis=0)
        cell_biases += tl.sum(by_hidden, axis=0)
        worth_weights += tl.dot(tl.trans(worths), hidden, input_precision="tf32")
        cost_weights += tl.dot(tl.trans(costs), hidden, input_precision="tf32")
        worth_biases += tl.sum(worths, axis=0)
        cost_biases += tl.sum(costs, axis=0)
    part = by_parameters + tl.program_id(0) * (3 * HIDDEN + 2 * PLANS * (HIDDEN + 1))
    tl.store(part + 2 * unit, attention_weights)
    tl.store(part + 2 * unit + 1, obstacle_weights)
    tl.store(part + 2 * HIDDEN + unit, cell_biases)
    part += 3 * HIDDEN
    tl.store(part + plan[:, None] * HIDDEN + unit, worth_weights)
    tl.store(part + PLANS * HIDDEN + plan, worth_biases)
    part += PLANS * (HIDDEN + 1)
    tl.store(part + plan[:, None] * HIDDEN + unit, cost_weights)
    tl.store(part + PLANS * HIDDEN + plan, cost_biases)


@triton.jit
def _hidden(place, exists, weight, bias, CELLS: tl.constexpr, HIDDEN: tl.constexpr):
    """Both maps in some places of the first, and (places, hidden) what the first layer makes of them."""
    unit = tl.arange(0, HIDDEN)
    attention, obstacle = tl.load(place, mask=exists, other=0.0), tl.load(place + CELLS, mask=exists, other=0.0)
    hidden = attention[:, None] * tl.load(weight + 2 * unit)[None, :] + tl.load(bias + unit)[None, :]
    hidden += obstacle[:, None] * tl.load(weight + 2 * unit + 1)[None, :]
    return attention, obstacle, tl.maximum(hidden, 0.0)


@triton.jit
def _layer(hidden, weight, bias, plan, HIDDEN: tl.constexpr):
    matrix = tl.load(weight + plan[:, None] * HIDDEN + tl.arange(0, HIDDEN))
    return tl.dot(hidden, tl.trans(matrix), input_precision="tf32") + tl.load(bias + plan)[None, :]


@triton.jit
def _step_of(move, VIEW: tl.constexpr):
    """From a cell to the one that a move leads to: up, down, left, right; no other number moves."""
    vertical = tl.where(move == 0, -VIEW, 0) + tl.where(move == 1, VIEW, 0)
    return vertical + tl.where(move == 2, -1, 0) + tl.where(move == 3, 1, 0)
