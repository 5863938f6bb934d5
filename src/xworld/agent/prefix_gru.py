"""Reading on a CPU: what sentences begin with alike is read once.

The state of a gated recurrent network depends on the words up to here and on nothing else. So it belongs to a beginning
of a sentence, and the sentences of a batch, made from few templates, share most of theirs.
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
    """For each length, the last word of every beginning."""
    parents: list[Tensor]
    """For each length, what every beginning goes on from: its place among those that are one word shorter."""
    places: Tensor
    """(sentences, length) The number of the beginning that ends with this word; past its end, of the whole sentence."""


def read_prefixes(reader: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, length, state) A reader's states; past the end of a sentence, its last one."""
    prefixes = find_prefixes(sentences, words=len(table))
    return functional.embedding(prefixes.places, _read_each(reader, table, prefixes))


def read_whole_sentences(reader: nn.GRU, table: Tensor, sentences: Tensor) -> Tensor:
    """(sentences, state) A reader's last states."""
    prefixes = find_prefixes(sentences, words=len(table))
    return functional.embedding(prefixes.places[:, -1], _read_each(reader, table, prefixes))


def _read_each(reader: nn.GRU, table: Tensor, prefixes: Prefixes) -> Tensor:
    """(prefixes, state) The state after each."""
    into, onward, bias_into, bias_onward = reader.all_weights[0]
    inward = functional.embedding(torch.cat(prefixes.words), functional.linear(table, into, bias_into))
    states: Tensor = _Growth.apply(prefixes.parents, inward, onward, bias_onward)  # type: ignore[no-untyped-call]
    return states


def find_prefixes(sentences: Tensor, words: int) -> Prefixes:
    """All prefixes of (sentences, length) word numbers; a sentence without words is read as the one word 0.

    >>> found = find_prefixes(torch.tensor([[5, 7, 0], [5, 7, 8], [6, 0, 0]]), words=10)
    >>> found.words, found.parents
    ([tensor([5, 6]), tensor([7]), tensor([8])], [tensor([0, 0]), tensor([0]), tensor([0])])
    >>> found.places
    tensor([[0, 2, 2],
            [0, 2, 3],
            [1, 1, 1]])
    """
    places = torch.zeros_like(sentences)
    rows = torch.arange(len(sentences))  # the sentences that go on
    reached = torch.zeros_like(rows)  # what each has come to, among the prefixes of this length
    lasts, parents, count = [], [], 0
    for length, word in enumerate(sentences.T):
        if length:
            on = word[rows] != 0
            rows, reached = rows[on], reached[on]
        if not len(rows):
            break
        pairs, reached = torch.unique(reached * words + word[rows], return_inverse=True)
        lasts.append(pairs % words)
        parents.append(pairs // words)
        places[rows, length:] = (count + reached).unsqueeze(1)
        count += len(pairs)
    return Prefixes(lasts, parents, places)


class _Growth(torch.autograd.Function):
    """Gated cells from prefixes to those that are one word longer, with the gradient of the weights as one product.

    A cell with the last state h has the gates r = sigmoid(inward_r + onward_r) and z = sigmoid(inward_z + onward_z),
    the candidate n = tanh(inward_n + r onward_n), and comes to (1 - z) n + z h.
    """

    @staticmethod
    def forward(ctx: Any, parents: list[Tensor], inward: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
        """(prefixes, state) states from (prefixes, 3 state) inputs."""
        size, states, steps = weights.shape[1], list[Tensor](), list[tuple[Tensor, ...]]()
        for parent, into in zip(parents, torch.split(inward, [len(part) for part in parents]), strict=True):
            h = states[-1].index_select(0, parent) if states else inward.new_zeros(len(parent), size)
            onward = torch.addmm(bias, h, weights.T)
            gates = (into[:, : 2 * size] + onward[:, : 2 * size]).sigmoid_()  # r and z
            n = torch.addcmul(into[:, 2 * size :], gates[:, :size], onward[:, 2 * size :]).tanh_()
            states.append(torch.lerp(n, h, gates[:, size:]))
            steps.append((h, gates, n, onward[:, 2 * size :]))
        ctx.parents = parents
        ctx.save_for_backward(weights, *(torch.cat(parts) for parts in zip(*steps, strict=True)))
        return torch.cat(states)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[None, Tensor, Tensor, Tensor]:
        """From the longest prefixes to what they go on from."""
        weights, h, gates, n, onward_n = ctx.saved_tensors
        r, z = gates.chunk(2, dim=1)
        # How the outcome changes with the sums under r, z and n: known for all prefixes at once.
        by_n = (1 - z) * (1 - n.square())
        by_r, by_z = by_n * onward_n * r * (1 - r), (h - n) * z * (1 - z)
        inward, onward = torch.stack([by_r, by_z, by_n], dim=1), torch.stack([by_r, by_z, by_n * r], dim=1)
        flow, counts = gradient.clone(), [len(part) for part in ctx.parents]
        flows, onwards, kept = (torch.split(tensor, counts) for tensor in (flow, onward, z))
        for length in reversed(range(len(counts))):
            through = onwards[length].mul_(flows[length].unsqueeze(1)).flatten(1)  # (prefixes, 3 state)
            if length:
                back = torch.addmm(flows[length] * kept[length], through, weights)
                flows[length - 1].index_add_(0, ctx.parents[length], back)
        onward = onward.flatten(1)
        return None, inward.mul_(flow.unsqueeze(1)).flatten(1), onward.T @ h, onward.sum(dim=0)
