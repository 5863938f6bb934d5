"""A bias and a ReLU after a convolution, in one kernel each way.

PyTorch adds the bias, then takes the maximum; backward it masks the gradient, then adds it up. Each time all of a large
map is read and written.
"""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

_ROWS = 64
"""Pixels at a time."""
_STEPS = 32
"""How many times as many one program adds up."""


def add_bias_and_relu(maps: Tensor, bias: Tensor) -> Tensor:
    """Maps of (images, channels, height, width), with channels last in memory, plus (channels,); they are overwritten.

    The number of channels is a power of 2.
    """
    activated: Tensor = _BiasReLU.apply(maps, bias)
    return activated


class _BiasReLU(torch.autograd.Function):
    """Where a result is 0, the gradient is 0."""

    @staticmethod
    def forward(ctx: Any, maps: Tensor, bias: Tensor) -> Tensor:
        """In place: a convolution does not need its own result again."""
        pixels = _pixels(maps)
        _add_bias_and_relu[(triton.cdiv(len(pixels), _ROWS),)](
            pixels, bias, len(pixels), CHANNELS=len(bias), ROWS=_ROWS, num_warps=4
        )
        ctx.mark_dirty(maps)
        ctx.save_for_backward(maps)
        return maps

    @staticmethod
    def backward(ctx: Any, by_result: Tensor) -> tuple[Tensor, Tensor]:
        """The gradient of the bias is a sum over all pixels: of parts, then of their sums."""
        (result,) = ctx.saved_tensors
        by_result = by_result.contiguous(memory_format=torch.channels_last)
        by_maps, rows, channels = torch.empty_like(result), len(_pixels(result)), result.shape[1]
        programs = triton.cdiv(rows, _ROWS * _STEPS)
        by_bias = torch.empty(programs, channels, device=result.device)
        _bias_relu_backward[(programs,)](
            _pixels(result), _pixels(by_result), _pixels(by_maps), by_bias, rows,
            CHANNELS=channels, ROWS=_ROWS, STEPS=_STEPS, num_warps=4,
        )  # fmt: skip
        return by_maps, by_bias.sum(dim=0)


def _pixels(maps: Tensor) -> Tensor:
    """(pixels, channels) A view of maps with channels last in memory."""
    return maps.permute(0, 2, 3, 1).view(-1, maps.shape[1])


@triton.jit
def _add_bias_and_relu(maps, bias, rows, CHANNELS: tl.constexpr, ROWS: tl.constexpr):
    row, channel = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, CHANNELS)
    place, exists = maps + row.to(tl.int64)[:, None] * CHANNELS + channel, (row < rows)[:, None]
    value = tl.load(place, mask=exists, other=0.0) + tl.load(bias + channel)[None, :]
    tl.store(place, tl.maximum(value, 0.0), mask=exists)


@triton.jit
def _bias_relu_backward(
    result, by_result, by_maps, by_bias, rows, CHANNELS: tl.constexpr, ROWS: tl.constexpr, STEPS: tl.constexpr
):
    channel, total = tl.arange(0, CHANNELS), tl.zeros((CHANNELS,), tl.float32)
    for step in range(STEPS):
        row = (tl.program_id(0) * STEPS + step) * ROWS + tl.arange(0, ROWS)
        place, exists = row.to(tl.int64)[:, None] * CHANNELS + channel, (row < rows)[:, None]
        active = tl.load(result + place, mask=exists, other=0.0) > 0
        gradient = tl.where(active, tl.load(by_result + place, mask=exists, other=0.0), 0.0)
        tl.store(by_maps + place, gradient, mask=exists)
        total += tl.sum(gradient.to(tl.float32), axis=0)
    tl.store(by_bias + tl.program_id(0) * CHANNELS + channel, total)
