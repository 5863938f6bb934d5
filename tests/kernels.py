"""What the tests of GPU kernels share: the device, sentences, and the comparison with plain PyTorch."""

from collections.abc import Sequence

import torch
from torch import Tensor

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
"""Without a GPU, Triton's interpreter runs the kernels."""
WORDS, LENGTH = 20, 12
HALF_PRECISION = 2e-3
"""The error of products of half-precision numbers, relative to the largest number."""


def random_sentences(count: int) -> Tensor:
    """Sentences of all lengths, the first ones without a word, with one, and as long as can be."""
    lengths = torch.randint(0, LENGTH + 1, (count, 1))
    lengths[:3, 0] = torch.tensor([0, 1, LENGTH])
    words = torch.randint(1, WORDS, (count, LENGTH))
    return (words * (torch.arange(LENGTH) < lengths)).to(DEVICE)


def leaf(*shape: int) -> Tensor:
    return torch.randn(*shape, device=DEVICE, requires_grad=True)


def assert_close(found: Sequence[Tensor], expected: Sequence[Tensor], error: float = 1e-5) -> None:
    """Errors relative to the largest number of each tensor."""
    for own, other in zip(found, expected, strict=True):
        assert own.shape == other.shape
        assert ((own - other).abs().max() <= error * other.abs().max().clamp(min=1e-6)).item()


def assert_same_gradients(
    found: Sequence[Tensor], expected: Sequence[Tensor], leaves: Sequence[Tensor], error: float = 1e-5
) -> None:
    """Those of one random sum of the outputs."""
    weights = [torch.randn_like(tensor) for tensor in expected]
    sums = [
        torch.stack([(tensor * weight).sum() for tensor, weight in zip(outputs, weights, strict=True)]).sum()
        for outputs in (found, expected)
    ]
    own, other = (torch.autograd.grad(total, leaves) for total in sums)
    assert_close(own, other, error)
