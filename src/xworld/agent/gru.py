"""GRUs over sentences, several side by side: on a CPU by shared prefixes, on a GPU as one batched recurrence.

The input projection of a GRU cell depends on the word alone: it is computed once for the vocabulary and looked up.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.prefix_gru import prefix_final_states, prefix_states


def gru_states(grus: Sequence[nn.GRU], table: Tensor, sentences: Sequence[Tensor]) -> list[Tensor]:
    """(sentences, length, state) Each GRU's states over its own sentences; the table holds the words' embeddings.

    All GRUs have one layer and get equally many sentences. States past the end of a sentence have no meaning.

    >>> states, = gru_states([nn.GRU(4, 3, batch_first=True)], torch.rand(10, 4), [torch.randint(1, 10, (5, 2))])
    >>> states.shape
    torch.Size([5, 2, 3])
    """
    if table.is_cuda:
        return _batched_states(grus, table, sentences)
    return [prefix_states(gru, table, words) for gru, words in zip(grus, sentences, strict=True)]


def final_states(gru: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, state) A GRU's states after the last words of sentences with zeros at the end.

    >>> final_states(nn.GRU(4, 3, batch_first=True), torch.rand(10, 4), torch.tensor([[7, 0], [7, 8]])).shape
    torch.Size([2, 3])
    """
    if not table.is_cuda:
        return prefix_final_states(gru, table, sentences)
    (states,) = _batched_states([gru], table, [sentences])
    last = (sentences != 0).sum(dim=1, keepdim=True).clamp(min=1) - 1
    return states_at(last, states).squeeze(1)


def states_at(positions: Tensor, states: Tensor) -> Tensor:
    """(sentences, positions, state) The states at some positions, (sentences, positions), of each sentence."""
    return states.gather(1, positions.unsqueeze(2).expand(-1, -1, states.shape[2]))


def _batched_states(grus: Sequence[nn.GRU], table: Tensor, sentences: Sequence[Tensor]) -> list[Tensor]:
    """All GRUs in one recurrence on a GPU, where cuDNN takes three times as long for networks of this size."""
    input_weights, state_weights, input_biases, state_biases = zip(*(gru.all_weights[0] for gru in grus), strict=True)
    inputs = [
        functional.embedding(words.T, functional.linear(table, weight, bias))
        for words, weight, bias in zip(sentences, input_weights, input_biases, strict=True)
    ]
    weights = torch.stack(state_weights).transpose(1, 2)  # (grus, state, 3 state)
    states: Tensor = _BatchedGRU.apply(torch.cat(inputs, dim=1), weights, torch.stack(state_biases))  # type: ignore[no-untyped-call]
    return [part.transpose(0, 1) for part in states.chunk(len(grus), dim=1)]


class _BatchedGRU(torch.autograd.Function):
    """GRU cells along a sentence; the gradient of the weights is one product over all steps."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weights: Tensor, biases: Tensor) -> Tensor:
        """(length, rows, state) states from (length, rows, 3 state) projected inputs; rows are grouped by GRU."""
        grus, size, _ = weights.shape
        length, rows, _ = inputs.shape
        states, workspaces = inputs.new_zeros(length + 1, rows, size), []
        for step in range(length):
            projected = torch.baddbmm(biases.unsqueeze(1), states[step].view(grus, -1, size), weights)
            new, workspace = torch.ops.aten._thnn_fused_gru_cell(inputs[step], projected.view(rows, -1), states[step])
            states[step + 1] = new
            workspaces.append(workspace)
        ctx.save_for_backward(weights, states, *workspaces)
        return states[1:]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Backpropagation through time."""
        weights, states, *workspaces = ctx.saved_tensors
        grus, size, _ = weights.shape
        length, rows, _ = gradient.shape
        by_inputs = gradient.new_empty(length, rows, 3 * size)
        by_projected = torch.empty_like(by_inputs)
        by_state = torch.zeros_like(states[0])
        for step in reversed(range(length)):
            by_inputs[step], by_projected[step], kept, _, _ = torch.ops.aten._thnn_fused_gru_cell_backward(
                gradient[step] + by_state, workspaces[step], False
            )
            through = by_projected[step].view(grus, -1, 3 * size)
            by_state = torch.baddbmm(kept.view(grus, -1, size), through, weights.transpose(1, 2)).view(rows, size)
        # (grus, length x rows, ...): one product instead of one for each step
        before = states[:-1].view(length, grus, -1, size).transpose(0, 1).reshape(grus, -1, size)
        after = by_projected.view(length, grus, -1, 3 * size).transpose(0, 1).reshape(grus, -1, 3 * size)
        return by_inputs, before.transpose(1, 2) @ after, after.sum(dim=1)
