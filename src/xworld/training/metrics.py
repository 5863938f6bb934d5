"""The numbers of training: collected during an iteration, summed up after it, averaged over the last ones."""

import math
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from xworld.evaluation.rate import Rate
from xworld.teacher.settings import COMMAND_NAMES

if TYPE_CHECKING:  # torch takes a second to load, and whoever only reads metrics does without it
    import torch
    from torch import Tensor

    from xworld.evaluation.report import EvaluationReport
    from xworld.training.distributed import Distributed

PHASES = "rollout", "update", "evaluation", "saving"
"""What training spends its time on."""
_NONE = Rate(0, 0)


@dataclass(frozen=True)
class Metrics:
    """The numbers of one iteration: a rollout, and the updates of the network that follow it."""

    iteration: int
    """Iterations so far, this one included."""
    iterations: int
    """Iterations of the whole training."""
    global_step: int
    """Steps of the agent so far, over all environments."""
    success: Mapping[str, Rate]
    """Success of the sessions that ended in this iteration, by command type."""
    answer_accuracy: Rate
    """Correct answers to the questions that were trained on in this iteration."""
    session_return: float
    """Mean discounted return of the sessions that ended in this iteration; NaN where none did."""
    losses: Mapping[str, float]
    """Losses, entropy, gradient norm: means over the iteration."""
    seconds: Mapping[str, float]
    """Duration of each phase; the names are among `PHASES`."""
    difficulty: float
    """Progress of the curriculum, from 0 to 1."""
    learning_rate: float

    @property
    def overall(self) -> Rate:
        """Success over all command types."""
        return sum(self.success.values(), start=_NONE)

    @property
    def training_seconds(self) -> float:
        """Duration of the iteration without its evaluation."""
        return sum(seconds for phase, seconds in self.seconds.items() if phase != "evaluation")


@dataclass(frozen=True)
class Evaluation:
    """Test sessions in the course of training, and when they took place."""

    iteration: int
    global_step: int
    seconds: float
    """Training time before it, without evaluations."""
    report: "EvaluationReport"


class MetricsCollector:
    """Counts and sums over one iteration, in this process."""

    def __init__(self, commands: tuple[str, ...], device: "torch.device") -> None:
        self._commands, self._device = commands, device
        self._seconds = dict.fromkeys(PHASES, 0.0)
        self._sessions = np.zeros(len(COMMAND_NAMES))
        self._successes = np.zeros(len(COMMAND_NAMES))
        self._returns = 0.0
        self._losses: list[Mapping[str, Tensor]] = []
        self._answers: list[Tensor] = []

    @contextmanager
    def timing(self, phase: str) -> Iterator[None]:
        """Add the time that passes to a phase."""
        start = time.perf_counter()
        yield
        self._seconds[phase] += time.perf_counter() - start

    def add_sessions(self, command_types: np.ndarray, succeeded: np.ndarray, returns: np.ndarray) -> None:
        """Sessions have ended: their command types, whether they reached the target, and their discounted returns."""
        self._sessions += np.bincount(command_types, minlength=len(COMMAND_NAMES))
        self._successes += np.bincount(command_types[succeeded], minlength=len(COMMAND_NAMES))
        self._returns += float(returns.sum())

    def add_update(self, losses: Mapping[str, "Tensor"], answers: "Tensor") -> None:
        """One step of the optimizer: its losses, and two numbers, the correct answers and all questions."""
        self._losses.append(losses)
        self._answers.append(answers)

    @property
    def sessions(self) -> int:
        """How many sessions have ended."""
        return int(self._sessions.sum())

    def summarize(self, distributed: "Distributed") -> dict[str, Any]:
        """The fields of `Metrics` that are collected here, over all processes."""
        import torch

        losses = self._mean_losses()
        answers = torch.stack(self._answers).sum(dim=0).tolist() if self._answers else [0.0, 0.0]
        own = [*self._sessions, *self._successes, self._returns, *answers, *losses.values()]
        total = distributed.sum(np.array(own, np.float64), self._device)
        sessions, successes, others = np.split(total, [len(COMMAND_NAMES), 2 * len(COMMAND_NAMES)])
        returns, correct, asked, *loss_sums = others.tolist()
        ended = int(sessions.sum())
        return {
            "success": {
                name: Rate(int(hits), int(trials))
                for name, hits, trials in zip(COMMAND_NAMES, successes, sessions, strict=True)
                if name in self._commands
            },
            "answer_accuracy": Rate(int(correct), int(asked)),
            "session_return": returns / ended if ended else math.nan,
            "losses": {name: value / distributed.size for name, value in zip(losses, loss_sums, strict=True)},
            "seconds": self._seconds,
        }

    def _mean_losses(self) -> dict[str, float]:
        import torch

        names = sorted(self._losses[0]) if self._losses else []
        return {name: torch.stack([losses[name] for losses in self._losses]).mean().item() for name in names}


class MovingWindow:
    """Sums and means over the last iterations: a single one is too noisy to read. NaN where nothing is known."""

    def __init__(self, iterations: int = 20) -> None:
        self._metrics: deque[Metrics] = deque(maxlen=iterations)

    def add(self, metrics: Metrics) -> None:
        """Add an iteration; the oldest leaves."""
        self._metrics.append(metrics)

    @property
    def success(self) -> dict[str, Rate]:
        """Success of the sessions that ended, by command type."""
        names = dict.fromkeys(name for metrics in self._metrics for name in metrics.success)
        return {name: sum((m.success.get(name, _NONE) for m in self._metrics), start=_NONE) for name in names}

    @property
    def overall(self) -> Rate:
        """Success over all command types."""
        return sum((metrics.overall for metrics in self._metrics), start=_NONE)

    @property
    def answer_accuracy(self) -> Rate:
        """Correct answers to the questions that were trained on."""
        return sum((metrics.answer_accuracy for metrics in self._metrics), start=_NONE)

    @property
    def session_return(self) -> float:
        """Mean discounted return of a session."""
        ended = [(metrics.overall.trials, metrics.session_return) for metrics in self._metrics]
        sessions = sum(number for number, _ in ended)
        return sum(number * mean for number, mean in ended if number) / sessions if sessions else math.nan

    @property
    def losses(self) -> dict[str, float]:
        """The mean of each loss, over the iterations that have it."""
        names = dict.fromkeys(name for metrics in self._metrics for name in metrics.losses)
        values = {name: [m.losses[name] for m in self._metrics if name in m.losses] for name in names}
        return {name: sum(numbers) / len(numbers) for name, numbers in values.items()}

    @property
    def steps_per_second(self) -> float:
        """Steps of the agent per second of training, without evaluations; known from the second iteration on."""
        seconds = sum(metrics.training_seconds for metrics in list(self._metrics)[1:])
        return (self._metrics[-1].global_step - self._metrics[0].global_step) / seconds if seconds else math.nan
