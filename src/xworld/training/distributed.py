"""Several processes that train one agent together, each with its own share of the worlds."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from xworld.teacher.settings import SettingsError

T = TypeVar("T")


@dataclass(frozen=True)
class Distributed:
    """This process among the others; alone, it is the whole distributed and nothing is exchanged."""

    rank: int = 0
    size: int = 1

    @classmethod
    def join(cls, device: torch.device) -> "Distributed":
        """The team that `torchrun` has started, or this process alone."""
        if "RANK" not in os.environ or int(os.environ.get("WORLD_SIZE", "1")) == 1:
            return cls()
        if not dist.is_initialized():
            dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        return cls(dist.get_rank(), dist.get_world_size())

    def leave(self) -> None:
        """Part from the others."""
        if self.size > 1:
            dist.destroy_process_group()

    @property
    def is_main(self) -> bool:
        """Whether this is the process that writes files and talks to the user."""
        return self.rank == 0

    def share(self, total: int, what: str) -> int:
        """Each process's part of so many.

        >>> Distributed(rank=0, size=2).share(2048, "worlds")
        1024
        """
        if total % self.size:
            raise SettingsError(f"{total} {what} cannot be shared evenly by {self.size} processes")
        return total // self.size

    def part(self, total: int) -> slice:
        """The part itself."""
        each = total // self.size
        return slice(self.rank * each, (self.rank + 1) * each)

    def first_the_leader(self, lead: Callable[[], T], follow: Callable[[], T]) -> T:
        """Let the leader do something that the others wait for, and then do their own part."""
        if self.is_main:
            try:
                return lead()
            finally:
                self.wait()
        self.wait()
        return follow()

    def wait(self) -> None:
        """Wait for all others."""
        if self.size > 1:
            dist.barrier()

    def average_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace all gradients by their mean over the team."""
        if self.size == 1:
            return
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        together = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(together)
        together /= self.size
        means = torch.split(together, [gradient.numel() for gradient in gradients])
        for gradient, mean in zip(gradients, means, strict=True):
            gradient.copy_(mean.view_as(gradient))

    def add_up(self, numbers: np.ndarray, device: torch.device) -> np.ndarray:
        """The sum of numbers over the team."""
        if self.size == 1:
            return numbers
        together = torch.from_numpy(numbers).to(device)
        dist.all_reduce(together)
        return together.cpu().numpy()

    def any(self, flag: bool, device: torch.device) -> bool:
        """Whether the flag is up in any process."""
        return bool(self.add_up(np.array([float(flag)]), device)[0])

    def collect(self, array: np.ndarray, device: torch.device) -> np.ndarray:
        """Everybody's array, one after the other along the first axis; all are of one shape."""
        if self.size == 1:
            return array
        own = _as_bytes(array).to(device)
        parts = [torch.empty_like(own) for _ in range(self.size)]
        dist.all_gather(parts, own)
        together = np.empty((self.size * len(array), *array.shape[1:]), array.dtype)
        together.reshape(-1).view(np.uint8)[:] = torch.cat(parts).cpu().numpy()
        return together


def _as_bytes(array: np.ndarray) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
