"""The diary of a round: what happened while the agent walked and learned, summed up into its progress."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor

from xworld.evaluation.rate import Rate
from xworld.teacher.settings import COMMAND_NAMES
from xworld.training.distributed import Distributed
from xworld.training.progress import PHASES


class Diary:
    """Counts and sums over one round."""

    def __init__(self, commands: tuple[str, ...], device: torch.device) -> None:
        self._commands, self._device = commands, device
        self._seconds = dict.fromkeys(PHASES, 0.0)
        self._sessions = np.zeros(len(COMMAND_NAMES))
        self._successes = np.zeros(len(COMMAND_NAMES))
        self._rewards = 0.0
        self._learned: list[Mapping[str, Tensor]] = []
        self._answers: list[Tensor] = []

    @contextmanager
    def timing(self, phase: str) -> Iterator[None]:
        """Count the time that passes to a phase."""
        begun = time.perf_counter()
        yield
        self._seconds[phase] += time.perf_counter() - begun

    def ended(self, commands: np.ndarray, reached: np.ndarray, rewards: np.ndarray) -> None:
        """Sessions have ended: their types of command, whether the target was reached, and what they earned."""
        self._sessions += np.bincount(commands, minlength=len(COMMAND_NAMES))
        self._successes += np.bincount(commands[reached], minlength=len(COMMAND_NAMES))
        self._rewards += float(rewards.sum())

    def learned(self, losses: Mapping[str, Tensor], answers: Tensor | None = None) -> None:
        """A step of the optimizer: its losses, and how many answers were right of how many, as two numbers."""
        self._learned.append(losses)
        if answers is not None:
            self._answers.append(answers)

    @property
    def sessions(self) -> int:
        """How many sessions have ended."""
        return int(self._sessions.sum())

    def sum_up(self, distributed: Distributed) -> dict[str, object]:
        """The figures of `Progress` that a diary knows, over the whole team."""
        losses = self._mean_losses()
        answers = torch.stack(self._answers).sum(dim=0).tolist() if self._answers else [0.0, 0.0]
        own = [*self._sessions, *self._successes, self._rewards, *answers, *losses.values()]
        together = distributed.add_up(np.array(own, np.float64), self._device)
        sessions, successes, rest = np.split(together, [len(COMMAND_NAMES), 2 * len(COMMAND_NAMES)])
        rewards, right, asked, *figures = rest.tolist()
        ended = int(sessions.sum())
        return {
            "success": {
                name: Rate(int(hits), int(trials))
                for name, hits, trials in zip(COMMAND_NAMES, successes, sessions, strict=True)
                if name in self._commands
            },
            "answers": Rate(int(right), int(asked)),
            "reward": rewards / ended if ended else float("nan"),
            "losses": {name: figure / distributed.size for name, figure in zip(losses, figures, strict=True)},
            "seconds": self._seconds,
        }

    def _mean_losses(self) -> dict[str, float]:
        names = {name for losses in self._learned for name in losses}
        parts = {name: [losses[name] for losses in self._learned if name in losses] for name in sorted(names)}
        return {name: torch.stack(values).mean().item() for name, values in parts.items()}
