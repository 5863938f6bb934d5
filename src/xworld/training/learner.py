"""What both learning algorithms share: the interface, the returns of sessions under way, and CUDA graphs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.teacher.simulator import Simulator
from xworld.training.distributed import Distributed
from xworld.training.metrics import MetricsCollector

_WARMUP_CALLS = 3
"""Warm-up calls before the recording, in which libraries choose kernels and optimizers create their state."""


class Learner(ABC):
    """A learning algorithm: what an iteration does, and the state that it keeps between iterations."""

    optimizer: torch.optim.Optimizer

    def __init__(self, agent: Model, simulator: Simulator, distributed: Distributed, gamma: float) -> None:
        self.agent, self.simulator, self.distributed = agent, simulator, distributed
        self.device = agent.atlas.device
        self._gamma = gamma
        self._returns = np.zeros(len(simulator))  # discounted, of the sessions so far
        self._discounts = np.ones(len(simulator))  # of a reward now, seen from the start of the session

    @abstractmethod
    def set_progress(self, done: float) -> None:
        """Set everything that follows a schedule; `done` goes from 0 to 1 in the course of training."""

    @abstractmethod
    def train_iteration(self, metrics: MetricsCollector, generator: torch.Generator) -> None:
        """Collect experience, train on it, and record both."""

    def modules(self) -> dict[str, nn.Module]:
        """Networks besides the agent."""
        return {}

    def arrays(self) -> dict[str, np.ndarray]:
        """The rest of the state of this process."""
        return {"session_returns": self._returns, "session_discounts": self._discounts}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Continue from such arrays."""
        self._returns[:], self._discounts[:] = arrays["session_returns"], arrays["session_discounts"]

    def step(
        self, actions: NDArray[np.int64], metrics: MetricsCollector
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Step the environments; returns rewards, terminated (target reached), and dones (session ended)."""
        rewards, terminated, truncated = self.simulator.step(actions)
        self._returns += self._discounts * rewards
        self._discounts *= self._gamma
        dones = terminated | truncated
        command_types = self.simulator.final_sessions["command_type"][dones]
        metrics.add_sessions(command_types, terminated[dones], self._returns[dones])
        self._returns[dones], self._discounts[dones] = 0.0, 1.0
        return rewards, terminated, dones

    def to_device(self, *arrays: np.ndarray) -> tuple[Tensor, ...]:
        """Arrays as tensors on the device of the agent."""
        return tuple(torch.from_numpy(array).to(self.device, non_blocking=True) for array in arrays)


class CudaGraphed:
    """A function of tensors with fixed shapes, recorded once as a CUDA graph and replayed; on a CPU a plain call.

    A replay launches hundreds of kernels for the price of one. Every call does the work exactly once.
    """

    def __init__(self, work: Callable[..., tuple[Tensor, ...]], device: torch.device, enabled: bool = True) -> None:
        self._work, self._warmup_left = work, _WARMUP_CALLS
        self._stream = _new_stream(device) if enabled and device.type == "cuda" else None
        self._graph: torch.cuda.CUDAGraph | None = None
        self._inputs: tuple[Tensor, ...] = ()
        self._outputs: tuple[Tensor, ...] = ()

    def __call__(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Do the work."""
        if self._stream is None:
            return self._work(*inputs)
        if self._warmup_left:
            self._warmup_left -= 1
            return self._warm_up(self._stream, *inputs)
        self._graph = self._graph or self._record(self._stream, *inputs)
        for own, given in zip(self._inputs, inputs, strict=True):
            if own.shape != given.shape:
                raise ValueError(f"recorded for shape {tuple(own.shape)}, called with {tuple(given.shape)}")
            own.copy_(given, non_blocking=True)
        self._graph.replay()
        return tuple(output.clone() for output in self._outputs)

    def _warm_up(self, stream: torch.cuda.Stream, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Work on the recording's stream: autograd remembers on which stream a parameter was first used."""
        current = torch.cuda.current_stream(stream.device)
        stream.wait_stream(current)
        with torch.cuda.stream(stream):
            outputs = self._work(*inputs)
        current.wait_stream(stream)
        return outputs

    def _record(self, stream: torch.cuda.Stream, *inputs: Tensor) -> torch.cuda.CUDAGraph:
        """The kernels of one call, with static inputs and outputs."""
        self._inputs = tuple(tensor.clone() for tensor in inputs)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            self._outputs = self._work(*self._inputs)
        return graph


def _new_stream(device: torch.device) -> torch.cuda.Stream:
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
