"""GRUs over sentences: on a CPU by shared prefixes, on a GPU in one kernel.

The input projection of a GRU cell depends on the word alone: it is computed once for the vocabulary and looked up. The
state depends only on the words so far, so it belongs to a prefix. The sentences of a batch come from a few templates
and share most of their prefixes: a CPU processes each distinct prefix once.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.cpu.prefixes import find_prefixes
from xworld.agent.gpu import fits_a_kernel


def read_sentences(forward: nn.GRU, backward: nn.GRU, table: Tensor, sentences: Tensor) -> tuple[Tensor, Tensor]:
    """The states of two GRUs, side by side: at every word, (sentences, length, 2 state), and (sentences, 2 state) ends.

    One reads from the first word to the last, the other from the last to the first; the table holds the words'
    embeddings. States past the end of a sentence have no meaning.
    """
    if _fits_one_kernel(forward, table):
        from xworld.agent.gpu.gru import read_in_one_kernel

        return read_in_one_kernel((forward, backward), table, sentences)
    last, read = _last_positions(sentences), _batched_states if table.is_cuda else prefix_states
    positions = torch.arange(sentences.shape[1], device=sentences.device)
    mirrored = (last - positions).clamp(min=0)  # positions counted from the last word
    ahead = read(forward, table, sentences)
    back = read(backward, table, sentences.gather(1, mirrored) * (sentences != 0))
    ends = torch.cat([states_at(last, ahead), states_at(last, back)], dim=2).squeeze(1)
    return torch.cat([ahead, states_at(mirrored, back)], dim=2), ends


def final_states(gru: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, state) A GRU's states after the last words of sentences with zeros at the end."""
    if not table.is_cuda:
        return prefix_states(gru, table, sentences, positions=-1)
    if _fits_one_kernel(gru, table):
        from xworld.agent.gpu.gru import read_in_one_kernel

        return read_in_one_kernel((gru,), table, sentences)[1]
    return states_at(_last_positions(sentences), _batched_states(gru, table, sentences)).squeeze(1)


_SHARED_MEMORY = 160 * 2**10
"""Bytes of shared memory that the weights of a recurrence take, and what is computed with them."""


def _fits_one_kernel(gru: nn.GRU, table: Tensor) -> bool:
    """Whether one program of this GPU holds all weights of the recurrence."""
    if not fits_a_kernel(table) or gru.hidden_size > 128:
        return False
    properties: Any = torch.cuda.get_device_properties(table.device)
    return bool(properties.shared_memory_per_block_optin >= _SHARED_MEMORY)


def states_at(positions: Tensor, states: Tensor) -> Tensor:
    """(sentences, positions, state) The states at some positions, (sentences, positions), of each sentence."""
    return states.gather(1, positions.unsqueeze(2).expand(-1, -1, states.shape[2]))


def _last_positions(sentences: Tensor) -> Tensor:
    """(sentences, 1) The position of each last word; of an empty sentence, the first position."""
    return (sentences != 0).sum(dim=1, keepdim=True).clamp(min=1) - 1


def prefix_states(gru: nn.GRU, table: Tensor, sentences: Tensor, positions: int | slice = slice(None)) -> Tensor:
    """(sentences, positions, state) A GRU's states at some positions; past the end of a sentence, its last one."""
    last_words, parents, numbers = find_prefixes(sentences, words=len(table))
    input_weights, state_weights, input_bias, state_bias = gru.all_weights[0]
    inputs = functional.embedding(torch.cat(last_words), functional.linear(table, input_weights, input_bias))
    states: Tensor = _PrefixGRU.apply(parents, inputs, state_weights, state_bias)  # type: ignore[no-untyped-call]
    return functional.embedding(numbers[:, positions], states)


class _PrefixGRU(torch.autograd.Function):
    """GRU cells from prefixes to those one word longer; the gradient of the weights is one product.

    A cell with input x, projected from the word, and p, projected from the last state h, has the gates
    r = sigmoid(x_r + p_r) and z = sigmoid(x_z + p_z), the candidate n = tanh(x_n + r p_n), and the new state
    (1 - z) n + z h.
    """

    @staticmethod
    def forward(ctx: Any, parents: list[Tensor], inputs: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
        """(prefixes, state) states from (prefixes, 3 state) projected inputs."""
        size, states, steps = weights.shape[1], list[Tensor](), list[tuple[Tensor, ...]]()
        for parent, x in zip(parents, torch.split(inputs, [len(part) for part in parents]), strict=True):
            h = states[-1].index_select(0, parent) if states else inputs.new_zeros(len(parent), size)
            p = torch.addmm(bias, h, weights.T)
            gates = (x[:, : 2 * size] + p[:, : 2 * size]).sigmoid_()  # r and z
            n = torch.addcmul(x[:, 2 * size :], gates[:, :size], p[:, 2 * size :]).tanh_()
            states.append(torch.lerp(n, h, gates[:, size:]))
            steps.append((h, gates, n, p[:, 2 * size :]))
        ctx.parents = parents
        ctx.save_for_backward(weights, *(torch.cat(parts) for parts in zip(*steps, strict=True)))
        return torch.cat(states)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor, Tensor]:
        """From the longest prefixes to the shortest."""
        weights, h, gates, n, p_n = ctx.saved_tensors
        r, z = gates.chunk(2, dim=1)
        # The derivatives of the new state by the sums inside r, z and n do not depend on the gradient: all at once.
        by_n = (1 - z) * (1 - n.square())
        by_r, by_z = by_n * p_n * r * (1 - r), (h - n) * z * (1 - z)
        by_x, by_p = torch.stack([by_r, by_z, by_n], dim=1), torch.stack([by_r, by_z, by_n * r], dim=1)
        by_state, counts = gradient.clone(), [len(part) for part in ctx.parents]
        states, projections, kept = (torch.split(tensor, counts) for tensor in (by_state, by_p, z))
        for length in reversed(range(len(counts))):
            through = projections[length].mul_(states[length].unsqueeze(1)).flatten(1)  # (prefixes, 3 state)
            if length:
                back = torch.addmm(states[length] * kept[length], through, weights)
                states[length - 1].index_add_(0, ctx.parents[length], back)
        by_p = by_p.flatten(1)
        return None, by_x.mul_(by_state.unsqueeze(1)).flatten(1), by_p.T @ h, by_p.sum(dim=0)


def _batched_states(gru: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, length, state) All states on a GPU, for a GRU of any size."""
    input_weights, state_weights, input_bias, state_bias = gru.all_weights[0]
    inputs = functional.embedding(sentences.T, functional.linear(table, input_weights, input_bias))
    states: Tensor = _BatchedGRU.apply(inputs, state_weights, state_bias)  # type: ignore[no-untyped-call]
    return states.transpose(0, 1)


class _BatchedGRU(torch.autograd.Function):
    """GRU cells along a sentence; the gradient of the weights is one product over all steps."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
        """(length, sentences, state) states from (length, sentences, 3 state) projected inputs."""
        length, rows, _ = inputs.shape
        states, workspaces = inputs.new_zeros(length + 1, rows, weights.shape[1]), []
        for step in range(length):
            projected = torch.addmm(bias, states[step], weights.T)
            states[step + 1], workspace = torch.ops.aten._thnn_fused_gru_cell(inputs[step], projected, states[step])
            workspaces.append(workspace)
        ctx.save_for_backward(weights, states, *workspaces)
        return states[1:]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Backpropagation through time."""
        weights, states, *workspaces = ctx.saved_tensors
        length, rows, size = gradient.shape
        by_inputs = gradient.new_empty(length, rows, 3 * size)
        by_projected = torch.empty_like(by_inputs)
        by_state = torch.zeros_like(states[0])
        for step in reversed(range(length)):
            by_inputs[step], by_projected[step], kept, _, _ = torch.ops.aten._thnn_fused_gru_cell_backward(
                gradient[step] + by_state, workspaces[step], False
            )
            by_state = torch.addmm(kept, by_projected[step], weights)
        after = by_projected.flatten(0, 1)  # one product instead of one for each step
        return by_inputs, after.T @ states[:-1].flatten(0, 1), after.sum(dim=0)
