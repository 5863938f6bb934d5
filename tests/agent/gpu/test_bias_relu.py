"""One kernel adds a bias and takes the maximum as two operations of PyTorch do."""

import pytest
import torch

from kernels import DEVICE, assert_close, assert_same_gradients, leaf
from xworld.agent.gpu.bias_relu import add_bias_and_relu


@pytest.mark.parametrize("size", [(1, 16, 1, 1), (2, 64, 5, 7), (3, 16, 40, 30)])
def test_it_is_a_bias_and_a_relu(size: tuple[int, int, int, int]) -> None:
    torch.manual_seed(0)
    maps, bias = leaf(*size), leaf(size[1])
    laid_out = maps.clone(memory_format=torch.channels_last)
    expected = (maps + bias[:, None, None]).relu()
    found = add_bias_and_relu(laid_out, bias)
    assert found.shape == size
    assert found.is_contiguous(memory_format=torch.channels_last)
    assert_close([found], [expected], 1e-6)
    assert_same_gradients([found], [expected], [maps, bias], 1e-5)


def test_half_precision_stays_half_and_sums_are_single() -> None:
    torch.manual_seed(0)
    maps = torch.randn(2, 16, 9, 9, device=DEVICE).bfloat16().to(memory_format=torch.channels_last)
    bias = leaf(16)
    expected = (maps.float() + bias[:, None, None]).relu()
    found = add_bias_and_relu(maps.clone(memory_format=torch.preserve_format), bias)
    assert found.dtype == torch.bfloat16
    assert_close([found.float()], [expected], 5e-3)
    (by_bias,) = torch.autograd.grad(found.sum(), bias)
    assert by_bias.dtype == torch.float32
    assert_close([by_bias], list(torch.autograd.grad(expected.sum(), bias)), 1e-6)
