"""The distinct beginnings of sentences, each of which is read once."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from xworld.agent.cpu import compiled

Numbers = NDArray[np.int64]


def find_prefixes(sentences: Tensor, words: int) -> tuple[list[Tensor], list[Tensor], Tensor]:
    """The distinct prefixes of (sentences, length) word numbers, numbered from the shortest to the longest.

    Returns, for each length, the last word of every prefix, and the index of the prefix that it extends among those one
    word shorter; then (sentences, length) the number of the prefix that ends here, or past the end, of the whole
    sentence. A sentence without words counts as the one word 0.

    >>> last_words, parents, numbers = find_prefixes(torch.tensor([[5, 7, 0], [5, 7, 8], [6, 0, 0]]), words=10)
    >>> last_words, parents
    ([tensor([5, 6]), tensor([7]), tensor([8])], [tensor([0, 0]), tensor([0]), tensor([0])])
    >>> numbers
    tensor([[0, 2, 2],
            [0, 2, 3],
            [1, 1, 1]])
    """
    if len(sentences) and not 0 <= sentences.min() <= sentences.max() < words:  # compiled code would not notice
        raise IndexError(f"sentences with words {sentences.min()} to {sentences.max()}: expected 0 to {words - 1}")
    last_words, parents = torch.empty_like(sentences).flatten(), torch.empty_like(sentences).flatten()
    numbers = torch.empty_like(sentences)
    arrays = (tensor.numpy() for tensor in (sentences, last_words, parents, numbers))
    counts = [count for count in _find(words, *arrays).tolist() if count]
    last, before = (list(torch.split(tensor[: sum(counts)], counts)) for tensor in (last_words, parents))
    return last, before, numbers


@compiled
def _find(words: int, sentences: Numbers, last_words: Numbers, parents: Numbers, numbers: Numbers) -> Numbers:
    """The number of prefixes of each length."""
    rows, length = sentences.shape
    counts, index = np.zeros(length, np.int64), np.zeros(rows, np.int64)
    total, extended = 0, 1  # prefixes found so far, and those that are one word shorter
    for place in range(length):
        found, count = np.full(extended * words, -1, np.int64), 0
        for row in range(rows):
            word = sentences[row, place]
            if place and not word:  # the sentence is over
                numbers[row, place] = numbers[row, place - 1]
                continue
            pair = index[row] * words + word
            if found[pair] < 0:
                found[pair] = count
                last_words[total + count], parents[total + count] = word, index[row]
                count += 1
            index[row] = found[pair]
            numbers[row, place] = total + index[row]
        counts[place], extended = count, count
        total += count
    return counts
