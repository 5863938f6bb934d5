"""A program's run on a scene: grounding, translation and gating of all steps in one kernel, one scene each."""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from xworld.agent.gpu.blocks import power_of_two
from xworld.agent.sizes import CELLS, VIEW


def run_in_one_kernel(
    tile_scores: Tensor, cell_scores: Tensor, gates: Tensor, tile_ids: Tensor, hidden: Tensor | None
) -> tuple[Tensor, Tensor]:
    """(scenes, 169) attention after the last step, and (scenes, steps, 169) the logits of all steps.

    The logits of a step are the scores of tiles, (scenes, steps, tiles), plus those of cells, (scenes, steps, 169).
    """
    attention, logits = _RunProgram.apply(tile_scores, cell_scores, gates, tile_ids, hidden)
    return attention, logits


class _RunProgram(torch.autograd.Function):
    """All maps of a scene stay in its program; each gradient follows from the maps that were saved."""

    @staticmethod
    def forward(
        ctx: Any, tile_scores: Tensor, cell_scores: Tensor, gates: Tensor, tile_ids: Tensor, hidden: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Save the maps of all steps: where words are found, attention translated by that, and the gated mixture."""
        scenes, steps, tiles = tile_scores.shape
        tile_scores, cell_scores, gates, tile_ids = (
            tensor.contiguous() for tensor in (tile_scores, cell_scores, gates, tile_ids)
        )
        logits, found, moved, kept = (gates.new_empty(scenes, steps, CELLS) for _ in range(4))
        _run[(scenes,)](
            tile_scores, cell_scores, gates, tile_ids, gates if hidden is None else hidden,
            logits, found, moved, kept, tiles,
            STEPS=steps, HIDING=hidden is not None, VIEW=VIEW, LANES=power_of_two(CELLS), num_warps=4,
        )  # fmt: skip
        ctx.save_for_backward(gates, tile_ids, hidden, found, moved, kept)
        ctx.tiles = tiles
        ctx.set_materialize_grads(False)
        return kept[:, -1], logits

    @staticmethod
    def backward(ctx: Any, by_attention: Tensor, by_logits: Tensor | None) -> tuple[Tensor | None, ...]:
        """From the last step to the first."""
        gates, tile_ids, hidden, found, moved, kept = ctx.saved_tensors
        scenes, steps, _ = found.shape
        by_tiles, by_cells = found.new_zeros(scenes, steps, ctx.tiles), torch.empty_like(found)
        by_gates, by_moved = torch.empty_like(gates), torch.empty_like(moved)
        _run_backward[(scenes,)](
            gates, tile_ids, gates if hidden is None else hidden, found, moved, kept, by_attention.contiguous(),
            gates if by_logits is None else by_logits.contiguous(), by_tiles, by_cells, by_gates, by_moved, ctx.tiles,
            STEPS=steps, HIDING=hidden is not None, PENALTY=by_logits is not None, VIEW=VIEW,
            LANES=power_of_two(CELLS), num_warps=4,
        )  # fmt: skip
        return by_tiles, by_cells, by_gates, None, None


@triton.jit
def _run(
    tile_scores, cell_scores, gates, tile_ids, hidden, logits, found, moved, kept, tiles,
    STEPS: tl.constexpr, HIDING: tl.constexpr, VIEW: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    scene, cell = tl.program_id(0), tl.arange(0, LANES)
    CELLS: tl.constexpr = VIEW * VIEW
    exists = cell < CELLS
    tile = tl.load(tile_ids + scene * CELLS + cell, mask=exists, other=0)
    attention = tl.where(cell == CELLS // 2, 1.0, 0.0)  # all of it on the agent itself
    for step in range(STEPS):
        here = (scene * STEPS + step) * CELLS + cell
        logit = tl.load(tile_scores + (scene * STEPS + step) * tiles + tile, mask=exists, other=0.0)
        logit += tl.load(cell_scores + here, mask=exists, other=0.0)
        tl.store(logits + here, logit, mask=exists)
        score = tl.where(exists, logit, float("-inf"))
        if HIDING:  # finite: all cells may be hidden
            score = tl.where(exists & tl.load(hidden + scene * CELLS + cell, mask=exists, other=0), -3e38, score)
        share = tl.exp(score - tl.max(score, axis=0))
        share = share / tl.sum(share, axis=0)
        tl.store(found + here, share, mask=exists)
        if step == 0:  # from the center, translating by a map gives the map itself
            translated = share
        else:
            tl.debug_barrier()  # all cells of both maps are written
            last = (scene * STEPS + step) * CELLS
            translated = _translate(kept + last - CELLS, found + last, cell, VIEW)
        tl.store(moved + here, translated, mask=exists)
        attention += tl.load(gates + scene * STEPS + step) * (translated - attention)
        tl.store(kept + here, attention, mask=exists)


@triton.jit
def _run_backward(
    gates, tile_ids, hidden, found, moved, kept, by_attention, by_logits, by_tiles, by_cells, by_gates, by_moved, tiles,
    STEPS: tl.constexpr, HIDING: tl.constexpr, PENALTY: tl.constexpr, VIEW: tl.constexpr, LANES: tl.constexpr,
):  # fmt: skip
    scene, cell = tl.program_id(0), tl.arange(0, LANES)
    CELLS: tl.constexpr = VIEW * VIEW
    exists = cell < CELLS
    tile = tl.load(tile_ids + scene * CELLS + cell, mask=exists, other=0)
    by_kept = tl.load(by_attention + scene * CELLS + cell, mask=exists, other=0.0)
    for back in range(STEPS):
        step = STEPS - 1 - back
        start = (scene * STEPS + step) * CELLS
        gate = tl.load(gates + scene * STEPS + step)
        translated = tl.load(moved + start + cell, mask=exists, other=0.0)
        if step == 0:
            before = tl.where(cell == CELLS // 2, 1.0, 0.0)
        else:
            before = tl.load(kept + start - CELLS + cell, mask=exists, other=0.0)
        tl.store(by_gates + scene * STEPS + step, tl.sum(by_kept * (translated - before), axis=0))
        by_found = gate * by_kept
        if step > 0:
            tl.store(by_moved + start + cell, by_found, mask=exists)
            tl.debug_barrier()
            by_found, by_last = _translate_back(by_moved, kept - CELLS, found, start, cell, VIEW)
            by_kept = (1 - gate) * by_kept + by_last
        share = tl.load(found + start + cell, mask=exists, other=0.0)
        by_logit = share * (by_found - tl.sum(share * by_found, axis=0))
        if HIDING:
            by_logit = tl.where(tl.load(hidden + scene * CELLS + cell, mask=exists, other=0), 0.0, by_logit)
        if PENALTY:  # the logits themselves are part of the loss
            by_logit += tl.load(by_logits + start + cell, mask=exists, other=0.0)
        tl.store(by_cells + start + cell, by_logit, mask=exists)
        # Most cells lie beyond the map and have the tile of the first: one sum instead of as many that wait in line.
        corner = tl.load(tile_ids + scene * CELLS)
        by_tile = by_tiles + (scene * STEPS + step) * tiles
        tl.atomic_add(by_tile + tile, by_logit, mask=exists & (tile != corner))
        tl.store(by_tile + corner, tl.sum(tl.where(exists & (tile == corner), by_logit, 0.0), axis=0))


@triton.jit
def _translate(maps, offsets, cell, VIEW: tl.constexpr):
    """A map translated by a map of offsets from the center."""
    total = tl.zeros(cell.shape, tl.float32)
    for down in range(VIEW):
        for across in range(VIEW):
            value = _shifted(maps, cell, VIEW // 2 - down, VIEW // 2 - across, VIEW)
            total += value * tl.load(offsets + down * VIEW + across)
    return total


@triton.jit
def _translate_back(by_moved, kept, found, start, cell, VIEW: tl.constexpr):
    """The gradients by the two maps of a translation: each is the gradient of the result, moved back by the other."""
    by_found, by_kept = tl.zeros(cell.shape, tl.float32), tl.zeros(cell.shape, tl.float32)
    for down in range(VIEW):
        for across in range(VIEW):
            value = _shifted(by_moved + start, cell, down - VIEW // 2, across - VIEW // 2, VIEW)
            by_found += value * tl.load(kept + start + down * VIEW + across)
            by_kept += value * tl.load(found + start + down * VIEW + across)
    return by_found, by_kept


@triton.jit
def _shifted(maps, cell, down, across, VIEW: tl.constexpr):
    """What a map has so many rows below and columns to the right of each cell; 0 beyond it."""
    row, column = cell // VIEW + down, cell % VIEW + across
    inside = (row >= 0) & (row < VIEW) & (column >= 0) & (column < VIEW) & (cell < VIEW * VIEW)
    return tl.load(maps + row * VIEW + column, mask=inside, other=0.0)
