"""The programmer's attention to words: all steps of a sentence in one kernel.

In each step the programmer's state, normalized to u, is compared with the key of every word; a softmax gives attention
a, and a GRU cell turns the attended context into the next state. The state after the last step is not needed.
"""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor, nn

from xworld.agent.gpu.blocks import ROWS, multiply_scaled, power_of_two, sum_products, tanh

_UNITS = 32
"""Units of a state that are computed at a time, so that their weights fit into registers."""


def attend_to_words(
    sentences: Tensor, contexts: Tensor, keys: Tensor, state: Tensor, cell: nn.GRUCell, gate: nn.Linear,
    temperature: Tensor, steps: int,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Logits of attention to words and the attention, (sentences, steps, length), and gate logits, (sentences, steps).

    Contexts and keys are (sentences, length, state), the keys with norm 1; the first state is (sentences, state).
    """
    weights = torch.stack([cell.weight_ih, cell.weight_hh])
    biases = torch.stack([cell.bias_ih, cell.bias_hh])
    logits, attention, gates = _AttendToWords.apply(
        sentences, contexts, keys, state, weights, biases, gate.weight, temperature, steps
    )
    return logits, attention, gates + gate.bias


class _AttendToWords(torch.autograd.Function):
    """Gradients of keys, contexts and weights are one product each over all steps."""

    @staticmethod
    def forward(
        ctx: Any, sentences: Tensor, contexts: Tensor, keys: Tensor, state: Tensor, weights: Tensor, biases: Tensor,
        gate: Tensor, temperature: Tensor, steps: int,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        """Weights are (2, 3 state, state): from the attended context, and from the last state."""
        rows, length, size = contexts.shape
        sentences, contexts, keys = sentences.contiguous(), contexts.contiguous(), keys.contiguous()
        weights = weights.half()
        logits, attention = (contexts.new_empty(rows, steps, length) for _ in range(2))
        gates = contexts.new_empty(rows, steps)
        # The inputs of each cell: attended context and state; the state with norm 1; and r, z, n and p_n.
        inputs, directions = contexts.new_empty(2, steps, rows, size), contexts.new_empty(rows, steps, size)
        cells = contexts.new_empty(4, steps, rows, size)
        inputs[1, 0] = state
        _attend[(triton.cdiv(rows, ROWS),)](
            sentences, contexts, keys, weights, biases, gate, temperature,
            logits, attention, gates, inputs, directions, cells, rows,
            STEPS=steps, LENGTH=length, WIDTH=power_of_two(length), SIZE=size, ROWS=ROWS, UNITS=min(_UNITS, size),
            num_warps=8, num_stages=1,
        )  # fmt: skip
        ctx.save_for_backward(
            sentences, contexts, keys, weights, gate, temperature, attention, inputs, directions, cells
        )
        return logits, attention, gates

    @staticmethod
    def backward(ctx: Any, by_logits: Tensor, by_attention: Tensor, by_gates: Tensor) -> tuple[Tensor | None, ...]:
        """From the last step to the first."""
        sentences, contexts, keys, weights, gate, temperature, attention, inputs, directions, cells = ctx.saved_tensors
        rows, steps, length = attention.shape
        size = contexts.shape[2]
        by_scores, by_attended = torch.empty_like(attention), torch.empty_like(directions)
        by_states = contexts.new_empty(steps, rows, size)
        by_cells = contexts.new_zeros(2, steps, rows, 3 * size)  # by the sums inside r, z and n; nothing in the last
        _attend_backward[(triton.cdiv(rows, ROWS),)](
            sentences, contexts, keys, weights, gate, temperature, attention, inputs, cells,
            by_logits.contiguous(), by_attention.contiguous(), by_gates.contiguous(),
            by_scores, by_attended, by_states, by_cells, rows,
            STEPS=steps, LENGTH=length, WIDTH=power_of_two(length), SIZE=size, ROWS=ROWS, UNITS=min(_UNITS, size),
            num_warps=8, num_stages=1,
        )  # fmt: skip
        by_cells, inputs = by_cells.flatten(1, 2), inputs.flatten(1, 2)
        by_gate = by_gates.T.reshape(1, -1) @ inputs[1]
        return (
            None,
            attention.mT @ by_attended,
            by_scores.mT @ directions * temperature,
            by_states[0],
            sum_products(by_cells[:, : (steps - 1) * rows], inputs[:, : (steps - 1) * rows]),
            by_cells.sum(dim=1),
            by_gate,
            None,
            None,
        )


@triton.jit
def _attend(
    sentences, contexts, keys, weights, biases, gate, temperature,
    logits, attention, gates, inputs, directions, cells, rows,
    STEPS: tl.constexpr, LENGTH: tl.constexpr, WIDTH: tl.constexpr, SIZE: tl.constexpr, ROWS: tl.constexpr,
    UNITS: tl.constexpr,
):  # fmt: skip
    whole, position, part, scale = tl.arange(0, SIZE), tl.arange(0, WIDTH), STEPS * rows * SIZE, tl.load(temperature)
    row, known, exists, word, spoken = _sentences(sentences, rows, whole, position, LENGTH, SIZE, ROWS)
    for step in range(STEPS):
        here = (step * rows + row[:, None]) * SIZE
        s = tl.load(inputs + part + here + whole, mask=known, other=0.0)
        u = s / tl.maximum(tl.sqrt(tl.sum(s * s, axis=1)), 1e-12)[:, None]
        logit = tl.zeros((ROWS, WIDTH), tl.float32)
        for place in tl.static_range(LENGTH):
            key = tl.load(keys + word + place * SIZE, mask=known, other=0.0)
            logit = tl.where((position == place)[None, :], scale * tl.sum(key * u, axis=1)[:, None], logit)
        logit = tl.where(spoken, logit, 0.0)
        # As with PyTorch's masks, a sentence without words attends to all its positions alike.
        score = tl.where(spoken, logit, tl.where((position < LENGTH)[None, :], -3e38, float("-inf")))
        a = tl.exp(score - tl.max(score, axis=1)[:, None])
        a = a / tl.sum(a, axis=1)[:, None]
        attended = tl.zeros((ROWS, SIZE), tl.float32)
        for place in tl.static_range(LENGTH):
            context = tl.load(contexts + word + place * SIZE, mask=known, other=0.0)
            attended += context * tl.sum(tl.where((position == place)[None, :], a, 0.0), axis=1)[:, None]
        out = (row[:, None] * STEPS + step) * LENGTH + position
        tl.store(logits + out, logit, mask=exists)
        tl.store(attention + out, a, mask=exists)
        tl.store(gates + row * STEPS + step, tl.sum(s * tl.load(gate + whole)[None, :], axis=1), mask=row < rows)
        tl.store(inputs + here + whole, attended, mask=known)
        tl.store(directions + (row[:, None] * STEPS + step) * SIZE + whole, u, mask=known)
        if step < STEPS - 1:
            read, state = attended.to(tl.float16), s.to(tl.float16)
            for start in range(0, SIZE, UNITS):
                unit = start + tl.arange(0, UNITS)
                x_r = _project(read, weights, biases, unit, whole, SIZE)
                x_z = _project(read, weights, biases, SIZE + unit, whole, SIZE)
                x_n = _project(read, weights, biases, 2 * SIZE + unit, whole, SIZE)
                p_r = _project(state, weights, biases, 3 * SIZE + unit, whole, SIZE)
                p_z = _project(state, weights, biases, 4 * SIZE + unit, whole, SIZE)
                p_n = _project(state, weights, biases, 5 * SIZE + unit, whole, SIZE)
                r, z = tl.sigmoid(x_r + p_r), tl.sigmoid(x_z + p_z)
                n = tanh(x_n + r * p_n)
                cell = cells + here + unit
                tl.store(cell, r, mask=known)
                tl.store(cell + part, z, mask=known)
                tl.store(cell + 2 * part, n, mask=known)
                tl.store(cell + 3 * part, p_n, mask=known)
                h = tl.load(inputs + part + here + unit, mask=known, other=0.0)
                tl.store(inputs + part + here + rows * SIZE + unit, n + z * (h - n), mask=known)
            tl.debug_barrier()  # all units of the next state are written


@triton.jit
def _attend_backward(
    sentences, contexts, keys, weights, gate, temperature, attention, inputs, cells,
    by_logits, by_attention, by_gates, by_scores, by_attended, by_states, by_cells, rows,
    STEPS: tl.constexpr, LENGTH: tl.constexpr, WIDTH: tl.constexpr, SIZE: tl.constexpr, ROWS: tl.constexpr,
    UNITS: tl.constexpr,
):  # fmt: skip
    whole, position, part, scale = tl.arange(0, SIZE), tl.arange(0, WIDTH), STEPS * rows * SIZE, tl.load(temperature)
    row, known, exists, word, spoken = _sentences(sentences, rows, whole, position, LENGTH, SIZE, ROWS)
    for back in range(STEPS):
        step = STEPS - 1 - back
        here = (step * rows + row[:, None]) * SIZE
        by_context, by_s = tl.zeros((ROWS, SIZE), tl.float32), tl.zeros((ROWS, SIZE), tl.float32)
        if step < STEPS - 1:
            tl.debug_barrier()  # all units of the gradient by the next state are written
            for start in range(0, SIZE, UNITS):
                unit = start + tl.arange(0, UNITS)
                cell = cells + here + unit
                r = tl.load(cell, mask=known, other=0.0)
                z = tl.load(cell + part, mask=known, other=0.0)
                n = tl.load(cell + 2 * part, mask=known, other=0.0)
                p_n = tl.load(cell + 3 * part, mask=known, other=0.0)
                h = tl.load(inputs + part + here + unit, mask=known, other=0.0)
                by_new = tl.load(by_states + here + rows * SIZE + unit, mask=known, other=0.0)
                by_n = by_new * (1 - z) * (1 - n * n)
                by_z = by_new * (h - n) * z * (1 - z)
                by_r = by_n * p_n * r * (1 - r)
                out = by_cells + 3 * here + unit
                tl.store(out, by_r, mask=known)
                tl.store(out + SIZE, by_z, mask=known)
                tl.store(out + 2 * SIZE, by_n, mask=known)
                tl.store(out + 3 * part, by_r, mask=known)
                tl.store(out + 3 * part + SIZE, by_z, mask=known)
                tl.store(out + 3 * part + 2 * SIZE, by_n * r, mask=known)
                tl.store(by_states + here + unit, by_new * z, mask=known)
                by_context += _project_back(by_r, weights, unit, whole, SIZE)
                by_context += _project_back(by_z, weights, SIZE + unit, whole, SIZE)
                by_context += _project_back(by_n, weights, 2 * SIZE + unit, whole, SIZE)
                by_s += _project_back(by_r, weights, 3 * SIZE + unit, whole, SIZE)
                by_s += _project_back(by_z, weights, 4 * SIZE + unit, whole, SIZE)
                by_s += _project_back(by_n * r, weights, 5 * SIZE + unit, whole, SIZE)
            tl.debug_barrier()
            by_s += tl.load(by_states + here + whole, mask=known, other=0.0)
        out = (row[:, None] * STEPS + step) * LENGTH + position
        by_a = tl.load(by_attention + out, mask=exists, other=0.0)
        for place in tl.static_range(LENGTH):
            context = tl.load(contexts + word + place * SIZE, mask=known, other=0.0)
            by_a += tl.where((position == place)[None, :], tl.sum(context * by_context, axis=1)[:, None], 0.0)
        a = tl.load(attention + out, mask=exists, other=0.0)
        by_score = a * (by_a - tl.sum(a * by_a, axis=1)[:, None])
        by_score = tl.where(spoken, by_score + tl.load(by_logits + out, mask=exists, other=0.0), 0.0)
        by_u = tl.zeros((ROWS, SIZE), tl.float32)
        for place in tl.static_range(LENGTH):
            key = tl.load(keys + word + place * SIZE, mask=known, other=0.0)
            by_u += key * tl.sum(tl.where((position == place)[None, :], scale * by_score, 0.0), axis=1)[:, None]
        s = tl.load(inputs + part + here + whole, mask=known, other=0.0)
        norm = tl.maximum(tl.sqrt(tl.sum(s * s, axis=1)), 1e-12)[:, None]
        u = s / norm
        by_s += (by_u - u * tl.sum(u * by_u, axis=1)[:, None]) / norm
        by_gate = tl.load(by_gates + row * STEPS + step, mask=row < rows, other=0.0)[:, None]
        by_s += by_gate * tl.load(gate + whole)[None, :]
        tl.store(by_scores + out, by_score, mask=exists)
        tl.store(by_attended + (row[:, None] * STEPS + step) * SIZE + whole, by_context, mask=known)
        tl.store(by_states + here + whole, by_s, mask=known)


@triton.jit
def _sentences(sentences, rows, whole, position, LENGTH: tl.constexpr, SIZE: tl.constexpr, ROWS: tl.constexpr):
    """The sentences of a program: their rows, which rows and positions exist, their first words, and what is a word."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    known = (row < rows)[:, None]
    exists = known & (position < LENGTH)[None, :]
    word = row[:, None] * (LENGTH * SIZE) + whole  # the first of each sentence
    spoken = tl.load(sentences + row[:, None] * LENGTH + position, mask=exists, other=0) != 0
    return row, known, exists, word, spoken


@triton.jit
def _project(vectors, weights, biases, line, whole, SIZE: tl.constexpr):
    """Some lines of the weights times a vector, plus their biases."""
    weight = tl.load(weights + line[:, None] * SIZE + whole)
    return tl.dot(vectors, tl.trans(weight)) + tl.load(biases + line)


@triton.jit
def _project_back(by_lines, weights, line, whole, SIZE: tl.constexpr):
    """The gradient by the vector that these lines were multiplied with."""
    return multiply_scaled(by_lines, tl.load(weights + line[:, None] * SIZE + whole))
