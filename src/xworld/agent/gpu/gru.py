"""GRUs along sentences: one kernel reads all words, where PyTorch launches several for each.

A cell with input x, projected from the word, and p, projected from the last state h, has the gates
r = sigmoid(x_r + p_r) and z = sigmoid(x_z + p_z), the candidate n = tanh(x_n + r p_n), and the new state
(1 - z) n + z h.
"""

from collections.abc import Sequence
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor, nn

from xworld.agent.gpu.blocks import ROWS, multiply_scaled, power_of_two, sum_products, tanh


def read_in_one_kernel(grus: Sequence[nn.GRU], table: Tensor, sentences: Tensor) -> tuple[Tensor, Tensor]:
    """States at every word, (sentences, length, grus x state), and after the last, (sentences, grus x state).

    The first GRU reads forward, a second one backward. Past the end of a sentence states are 0.
    """
    input_weights, state_weights, input_biases, state_biases = (
        torch.stack(parts) if len(parts) > 1 else parts[0].unsqueeze(0)
        for parts in zip(*(gru.all_weights[0] for gru in grus), strict=True)
    )
    inputs = torch.baddbmm(input_biases.unsqueeze(1), table.expand(len(grus), -1, -1), input_weights.mT)
    states, ends = _ReadSentences.apply(sentences, inputs, state_weights, state_biases)
    return states, ends


class _ReadSentences(torch.autograd.Function):
    """The recurrence; the gradients of weights and words are one product each over all steps."""

    @staticmethod
    def forward(ctx: Any, sentences: Tensor, inputs: Tensor, weights: Tensor, biases: Tensor) -> tuple[Tensor, Tensor]:
        """States from (grus, words, 3 state) projected words and (grus, 3 state, state) weights."""
        (rows, length), (grus, words, _), size = sentences.shape, inputs.shape, weights.shape[2]
        sentences, weights = sentences.contiguous(), weights.half()
        states, ends = inputs.new_zeros(rows, length, grus * size), inputs.new_empty(rows, grus * size)
        learning = any(ctx.needs_input_grad)
        cells = inputs.new_empty(5, grus, rows * length if learning else 0, size)  # r, z, n, p_n and h of each cell
        _read[(grus, triton.cdiv(rows, ROWS))](
            sentences, inputs, weights, biases, states, ends, cells, rows, words,
            LENGTH=length, WIDTH=power_of_two(length), SIZE=size, GRUS=grus, ROWS=ROWS, LEARNING=learning,
            num_warps=8, num_stages=2,
        )  # fmt: skip
        ctx.save_for_backward(sentences, weights, cells)
        ctx.words = words
        return states, ends

    @staticmethod
    def backward(ctx: Any, by_states: Tensor, by_ends: Tensor) -> tuple[None, Tensor, Tensor, Tensor]:
        """Backpropagation through time."""
        sentences, weights, cells = ctx.saved_tensors
        (rows, length), (grus, _, size) = sentences.shape, weights.shape
        by_gates = cells.new_empty(grus, rows * length, 4 * size)  # of each cell by p_r, p_z, p_n and x_n
        _read_backward[(grus, triton.cdiv(rows, ROWS))](
            sentences, weights, cells, by_states.contiguous(), by_ends.contiguous(), by_gates, rows,
            LENGTH=length, WIDTH=power_of_two(length), SIZE=size, GRUS=grus, ROWS=ROWS, num_warps=8, num_stages=2,
        )  # fmt: skip
        spoken = (sentences.flatten()[:, None] == torch.arange(ctx.words, device=sentences.device)).to(cells.dtype)
        by_words = sum_products(spoken.expand(grus, -1, -1), by_gates)  # (grus, words, 4 state)
        by_inputs = torch.cat([by_words[..., : 2 * size], by_words[..., 3 * size :]], dim=2)
        by_weights = sum_products(by_gates[..., : 3 * size], cells[4])
        return None, by_inputs, by_weights, by_words[..., : 3 * size].sum(dim=1)


@triton.jit
def _read(
    sentences, inputs, weights, biases, states, ends, cells, rows, words,
    LENGTH: tl.constexpr, WIDTH: tl.constexpr, SIZE: tl.constexpr, GRUS: tl.constexpr, ROWS: tl.constexpr,
    LEARNING: tl.constexpr,
):  # fmt: skip
    gru, row, unit = tl.program_id(0), tl.program_id(1) * ROWS + tl.arange(0, ROWS), tl.arange(0, SIZE)
    inside, last = row < rows, _last_words(sentences, row, rows, LENGTH, WIDTH)
    w_r, w_z, w_n = _weights(weights, gru, unit, SIZE)
    bias = biases + 3 * gru * SIZE + unit
    b_r, b_z, b_n = tl.load(bias), tl.load(bias + SIZE), tl.load(bias + 2 * SIZE)
    cell, skip = cells + gru * rows * LENGTH * SIZE, GRUS * rows * LENGTH * SIZE  # from one part to the next
    h = tl.zeros((ROWS, SIZE), tl.float32)
    for step in range(LENGTH):
        spoken = inside & (step <= last)
        here = row * LENGTH + tl.where(spoken & (gru == 1), last - step, step)
        word = tl.load(sentences + here, mask=spoken, other=0)
        x = inputs + (gru * words + word)[:, None] * (3 * SIZE) + unit
        half = h.to(tl.float16)
        r = tl.sigmoid(tl.load(x) + b_r + tl.dot(half, tl.trans(w_r)))
        z = tl.sigmoid(tl.load(x + SIZE) + b_z + tl.dot(half, tl.trans(w_z)))
        p_n = b_n + tl.dot(half, tl.trans(w_n))
        n = tanh(tl.load(x + 2 * SIZE) + r * p_n)
        if LEARNING:
            out = cell + here[:, None] * SIZE + unit
            tl.store(out, r, mask=inside[:, None])
            tl.store(out + skip, z, mask=inside[:, None])
            tl.store(out + 2 * skip, n, mask=inside[:, None])
            tl.store(out + 3 * skip, p_n, mask=inside[:, None])
            tl.store(out + 4 * skip, h, mask=inside[:, None])
        h = tl.where(spoken[:, None], n + z * (h - n), h)
        tl.store(states + (here[:, None] * GRUS + gru) * SIZE + unit, h, mask=spoken[:, None])
    tl.store(ends + (row[:, None] * GRUS + gru) * SIZE + unit, h, mask=inside[:, None])


@triton.jit
def _read_backward(
    sentences, weights, cells, by_states, by_ends, by_gates, rows,
    LENGTH: tl.constexpr, WIDTH: tl.constexpr, SIZE: tl.constexpr, GRUS: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    gru, row, unit = tl.program_id(0), tl.program_id(1) * ROWS + tl.arange(0, ROWS), tl.arange(0, SIZE)
    inside, last = row < rows, _last_words(sentences, row, rows, LENGTH, WIDTH)
    w_r, w_z, w_n = _weights(weights, gru, unit, SIZE)
    cell, skip = cells + gru * rows * LENGTH * SIZE, GRUS * rows * LENGTH * SIZE
    by_h = tl.load(by_ends + (row[:, None] * GRUS + gru) * SIZE + unit, mask=inside[:, None], other=0.0)
    for back in range(LENGTH):
        step = LENGTH - 1 - back
        spoken = inside & (step <= last)
        here = row * LENGTH + tl.where(spoken & (gru == 1), last - step, step)
        known = spoken[:, None]
        value = cell + here[:, None] * SIZE + unit
        r = tl.load(value, mask=known, other=0.0)
        z = tl.load(value + skip, mask=known, other=0.0)
        n = tl.load(value + 2 * skip, mask=known, other=0.0)
        p_n = tl.load(value + 3 * skip, mask=known, other=0.0)
        h = tl.load(value + 4 * skip, mask=known, other=0.0)
        by_new = by_h + tl.load(by_states + (here[:, None] * GRUS + gru) * SIZE + unit, mask=known, other=0.0)
        by_n = tl.where(known, by_new * (1 - z) * (1 - n * n), 0.0)
        by_z = by_new * (h - n) * z * (1 - z)  # 0 past the end, where z is
        by_r = by_n * p_n * r * (1 - r)
        out = by_gates + (gru * rows * LENGTH + here[:, None]) * (4 * SIZE) + unit
        tl.store(out, by_r, mask=inside[:, None])
        tl.store(out + SIZE, by_z, mask=inside[:, None])
        tl.store(out + 2 * SIZE, by_n * r, mask=inside[:, None])
        tl.store(out + 3 * SIZE, by_n, mask=inside[:, None])
        through = multiply_scaled(by_r, w_r) + multiply_scaled(by_z, w_z) + multiply_scaled(by_n * r, w_n)
        by_h = tl.where(known, by_new * z + through, by_h)


@triton.jit
def _last_words(sentences, row, rows, LENGTH: tl.constexpr, WIDTH: tl.constexpr):
    """The position of each last word; of an empty sentence, the first position."""
    position = tl.arange(0, WIDTH)
    known = (row < rows)[:, None] & (position < LENGTH)[None, :]
    words = tl.load(sentences + row[:, None] * LENGTH + position, mask=known, other=0)
    return tl.maximum(tl.sum((words != 0).to(tl.int32), axis=1), 1) - 1


@triton.jit
def _weights(weights, gru, unit, SIZE: tl.constexpr):
    """A GRU's weights from the state to r, z and n: they stay in registers while a sentence is read."""
    weight = weights + (3 * gru * SIZE + unit[:, None]) * SIZE + unit
    return tl.load(weight), tl.load(weight + SIZE * SIZE), tl.load(weight + 2 * SIZE * SIZE)
