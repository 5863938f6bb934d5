"""Parts of the agent as Triton kernels, for GPUs of NVIDIA."""

import torch
from torch import Tensor


def fits_a_kernel(tensor: Tensor) -> bool:
    """Whether kernels compute with such numbers: single precision, on a GPU."""
    return tensor.is_cuda and tensor.dtype == torch.float32
