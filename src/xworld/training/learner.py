"""What both learning algorithms share: the interface, and the returns of sessions under way."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from xworld.agent.model import Model
from xworld.teacher.simulator import Simulator
from xworld.training.distributed import Distributed
from xworld.training.metrics import MetricsCollector


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
