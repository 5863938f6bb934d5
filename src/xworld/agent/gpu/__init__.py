"""Parts of the agent as Triton kernels, for GPUs of NVIDIA."""

import torch
from torch import Tensor


def fits_a_kernel(tensor: Tensor) -> bool:
    """Whether kernels compute with such numbers: single precision, on a GPU."""
    return tensor.is_cuda and tensor.dtype == torch.float32


def half_precision(tensor: Tensor) -> torch.autocast:
    """A context for products and convolutions in half precision; where kernels do not fit, it changes nothing."""
    return torch.autocast("cuda", torch.bfloat16, enabled=fits_a_kernel(tensor))
