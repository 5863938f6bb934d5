"""What the kernels share.

States and weights are multiplied as half-precision numbers and added up in single precision. Half precision has as many
digits as TF32, the format in which GPUs multiply matrices in training.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

ROWS = 16
"""Sentences of one program: the fewest rows of a matrix that tensor cores multiply."""
_PARTS = 8
"""Parts of a long sum that are computed at the same time."""


def power_of_two(length: int) -> int:
    """The number of lanes for some elements."""
    return int(triton.next_power_of_2(length))


def sum_products(left: Tensor, right: Tensor) -> Tensor:
    """(batch, m, n) The products of the rows of (batch, rows, m) and (batch, rows, n), added up."""
    if left.shape[1] % _PARTS:
        return left.mT @ right
    left, right = (rows.unflatten(1, (_PARTS, -1)) for rows in (left, right))
    return torch.matmul(left.mT, right).sum(dim=1)


@triton.jit
def multiply_scaled(rows, matrix):
    """The product of rows, each scaled to a maximum of 1, with a matrix in half precision: gradients may be tiny."""
    largest = tl.maximum(tl.max(tl.abs(rows), axis=1), 1e-30)[:, None]
    return tl.dot((rows / largest).to(tl.float16), matrix) * largest


@triton.jit
def tanh(x):
    """The hyperbolic tangent."""
    return 2 * tl.sigmoid(2 * x) - 1
