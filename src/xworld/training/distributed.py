"""Data-parallel training: several processes train one agent, each with its share of the environments."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
import torch.distributed as dist
from torch import nn

from xworld.world.checks import SettingsError


@dataclass(frozen=True)
class Distributed:
    """This process among all; a single process exchanges nothing."""

    rank: int = 0
    size: int = 1

    @classmethod
    def join(cls, device: torch.device) -> "Distributed":
        """Join the processes that `torchrun` has started, if it has."""
        if "RANK" not in os.environ or int(os.environ.get("WORLD_SIZE", "1")) == 1:
            return cls()
        if not dist.is_initialized():
            dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        return cls(dist.get_rank(), dist.get_world_size())

    def leave(self) -> None:
        """Leave the process group."""
        if self.size > 1:
            dist.destroy_process_group()

    @property
    def is_main(self) -> bool:
        """Whether this is the process that writes files and talks to the user."""
        return self.rank == 0

    def share(self, total: int, what: str) -> int:
        """The number that each process gets.

        >>> Distributed(rank=0, size=2).share(2048, "environments")
        1024
        """
        if total % self.size:
            raise SettingsError(f"{total} {what} cannot be shared evenly by {self.size} processes")
        return total // self.size

    def part(self, total: int) -> slice:
        """The part of this process."""
        each = total // self.size
        return slice(self.rank * each, (self.rank + 1) * each)

    def wait(self) -> None:
        """Wait until every process has come here."""
        if self.size > 1:
            dist.barrier()

    def average_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace all gradients by their mean over the processes."""
        if self.size == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        together = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(together)
        together /= self.size
        means = torch.split(together, [gradient.numel() for gradient in gradients])
        for gradient, mean in zip(gradients, means, strict=True):
            gradient.copy_(mean.view_as(gradient))

    def sum(self, numbers: np.ndarray, device: torch.device) -> np.ndarray:
        """The sum of arrays over the processes."""
        if self.size == 1:
            return numbers
        total = torch.from_numpy(numbers).to(device)
        dist.all_reduce(total)
        return total.cpu().numpy()

    def any(self, flag: bool, device: torch.device) -> bool:
        """Whether the flag is set in any process."""
        return bool(self.sum(np.array([float(flag)]), device)[0])

    def gather(self, array: np.ndarray) -> np.ndarray:
        """(processes, ...) The arrays of all processes, which have one shape."""
        if self.size == 1:
            return array[None]
        parts: list[np.ndarray] = [array] * self.size
        dist.all_gather_object(parts, array)
        return np.stack(parts)
