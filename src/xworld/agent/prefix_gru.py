"""A GRU on a CPU: each distinct prefix of the sentences is processed once.

The state of a GRU depends only on the words so far, so it belongs to a prefix. The sentences of a batch come from a few
templates and share most of their prefixes.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Prefixes:
    """The distinct prefixes of sentences, numbered from the shortest to the longest."""

    words: list[Tensor]
    """For each length, the last word of every prefix."""
    parents: list[Tensor]
    """For each length, the prefix that every prefix extends: its index among those one word shorter."""
    numbers: Tensor
    """(sentences, length) The number of the prefix that ends here; past the end, that of the whole sentence."""


def prefix_states(gru: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, length, state) A GRU's states; past the end of a sentence, its last one."""
    prefixes = find_prefixes(sentences, words=len(table))
    return functional.embedding(prefixes.numbers, _run(gru, table, prefixes))


def prefix_final_states(gru: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, state) A GRU's last states."""
    prefixes = find_prefixes(sentences, words=len(table))
    return functional.embedding(prefixes.numbers[:, -1], _run(gru, table, prefixes))


def _run(gru: nn.GRU, table: Tensor, prefixes: Prefixes) -> Tensor:
    """(prefixes, state) The state after each prefix."""
    input_weights, state_weights, input_bias, state_bias = gru.all_weights[0]
    inputs = functional.embedding(torch.cat(prefixes.words), functional.linear(table, input_weights, input_bias))
    states: Tensor = _PrefixGRU.apply(prefixes.parents, inputs, state_weights, state_bias)  # type: ignore[no-untyped-call]
    return states


def find_prefixes(sentences: Tensor, words: int) -> Prefixes:
    """All prefixes of (sentences, length) word numbers; a sentence without words counts as the one word 0.

    >>> found = find_prefixes(torch.tensor([[5, 7, 0], [5, 7, 8], [6, 0, 0]]), words=10)
    >>> found.words, found.parents
    ([tensor([5, 6]), tensor([7]), tensor([8])], [tensor([0, 0]), tensor([0]), tensor([0])])
    >>> found.numbers
    tensor([[0, 2, 2],
            [0, 2, 3],
            [1, 1, 1]])
    """
    numbers = torch.zeros_like(sentences)
    rows = torch.arange(len(sentences))  # the sentences that are not over
    index = torch.zeros_like(rows)  # of each one's prefix, among the prefixes of this length
    last_words, parents, count = [], [], 0
    for length, word in enumerate(sentences.T):
        if length:
            continues = word[rows] != 0
            rows, index = rows[continues], index[continues]
        if not len(rows):
            break
        pairs, index = torch.unique(index * words + word[rows], return_inverse=True)
        last_words.append(pairs % words)
        parents.append(pairs // words)
        numbers[rows, length:] = (count + index).unsqueeze(1)
        count += len(pairs)
    return Prefixes(last_words, parents, numbers)


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
