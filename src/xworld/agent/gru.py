"""Reading words one after the other with gated recurrent networks, several networks side by side.

The first half of a gated cell, the projection of its input, depends on the word alone: it is computed once for the
vocabulary and looked up.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from xworld.agent.prefix_gru import read_prefixes, read_whole_sentences


def read(readers: Sequence[nn.GRU], table: Tensor, sentences: Sequence[Tensor]) -> list[Tensor]:
    """Each reader's states over its own sentences, (sentences, length, state); a table holds the words' embeddings.

    All readers have one layer, and all take equally many sentences. What stands past the end of a sentence is no
    reading of it.

    >>> states, = read([nn.GRU(4, 3, batch_first=True)], torch.rand(10, 4), [torch.randint(1, 10, (5, 2))])
    >>> states.shape
    torch.Size([5, 2, 3])
    """
    if table.is_cuda:
        return _read_at_once(readers, table, sentences)
    return [read_prefixes(reader, table, words) for reader, words in zip(readers, sentences, strict=True)]


def read_to_the_end(reader: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, state) A reader's states after the last words of sentences with zeros at the end.

    >>> read_to_the_end(nn.GRU(4, 3, batch_first=True), torch.rand(10, 4), torch.tensor([[7, 0], [7, 8]])).shape
    torch.Size([2, 3])
    """
    if not table.is_cuda:
        return read_whole_sentences(reader, table, sentences)
    (states,) = _read_at_once([reader], table, [sentences])
    last = (sentences != 0).sum(dim=1, keepdim=True).clamp(min=1) - 1
    return states_at(last, states).squeeze(1)


def states_at(places: Tensor, states: Tensor) -> Tensor:
    """(sentences, places, state) The states at some places, (sentences, places), of each sentence."""
    return states.gather(1, places.unsqueeze(2).expand(-1, -1, states.shape[2]))


def _read_at_once(readers: Sequence[nn.GRU], table: Tensor, sentences: Sequence[Tensor]) -> list[Tensor]:
    """The same on a GPU, where cuDNN takes three times as long for networks of this size."""
    into, onward, bias_into, bias_onward = zip(*(reader.all_weights[0] for reader in readers), strict=True)
    inward = [
        functional.embedding(words.T, functional.linear(table, weight, bias))
        for words, weight, bias in zip(sentences, into, bias_into, strict=True)
    ]
    weights = torch.stack(onward).transpose(1, 2)  # (readers, state, 3 state)
    states: Tensor = _Chain.apply(torch.cat(inward, dim=1), weights, torch.stack(bias_onward))  # type: ignore[no-untyped-call]
    return [part.transpose(0, 1) for part in states.chunk(len(readers), dim=1)]


class _Chain(torch.autograd.Function):
    """Gated cells one after the other, with the gradient of all steps' weights as one product."""

    @staticmethod
    def forward(ctx: Any, inward: Tensor, weights: Tensor, biases: Tensor) -> Tensor:
        """(length, rows, state) states from (length, rows, 3 state) inputs; rows are those of each reader in turn."""
        readers, size, _ = weights.shape
        length, rows, _ = inward.shape
        states, workspaces = inward.new_zeros(length + 1, rows, size), []
        for step in range(length):
            onward = torch.baddbmm(biases.unsqueeze(1), states[step].view(readers, -1, size), weights)
            new, workspace = torch.ops.aten._thnn_fused_gru_cell(inward[step], onward.view(rows, -1), states[step])
            states[step + 1] = new
            workspaces.append(workspace)
        ctx.save_for_backward(weights, states, *workspaces)
        return states[1:]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Back through time."""
        weights, states, *workspaces = ctx.saved_tensors
        readers, size, _ = weights.shape
        length, rows, _ = gradient.shape
        inward = gradient.new_empty(length, rows, 3 * size)
        onward = torch.empty_like(inward)
        back = torch.zeros_like(states[0])
        for step in reversed(range(length)):
            inward[step], onward[step], kept, _, _ = torch.ops.aten._thnn_fused_gru_cell_backward(
                gradient[step] + back, workspaces[step], False
            )
            through = onward[step].view(readers, -1, 3 * size)
            back = torch.baddbmm(kept.view(readers, -1, size), through, weights.transpose(1, 2)).view(rows, size)
        # (readers, length x rows, ...): one product instead of one for each step
        before = states[:-1].view(length, readers, -1, size).transpose(0, 1).reshape(readers, -1, size)
        after = onward.view(length, readers, -1, 3 * size).transpose(0, 1).reshape(readers, -1, 3 * size)
        return inward, before.transpose(1, 2) @ after, after.sum(dim=1)
