"""Arrays of the simulator as tensors on a device."""

import numpy as np
import torch
from torch import Tensor


def as_tensors(device: torch.device, *arrays: np.ndarray) -> tuple[Tensor, ...]:
    """Arrays as tensors; on a GPU they may still be on their way when this returns."""
    return tuple(torch.from_numpy(array).to(device, non_blocking=True) for array in arrays)
