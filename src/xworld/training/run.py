"""A training run in its folder: iterations, evaluations and checkpoints until the end, or until it is stopped."""

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any, Protocol

from xworld.evaluation.rate import Rate
from xworld.evaluation.success import evaluate
from xworld.training.checkpoint import check_record, load_state, save_state
from xworld.training.metrics import Evaluation, Metrics
from xworld.training.run_folder import RunFolder
from xworld.training.trainer import Trainer


class Callback(Protocol):
    """Called in the course of training."""

    def on_iteration(self, metrics: Metrics, seconds: float) -> None:
        """After an iteration; `seconds` is the training time so far, without evaluations."""

    def on_evaluation(self, evaluation: Evaluation) -> None:
        """After an evaluation."""


@dataclass
class TrainingRun:
    """Trains, evaluates now and then, and saves checkpoints from which it can resume."""

    trainer: Trainer
    folder: RunFolder
    provenance: Mapping[str, Any]
    """Where the weights come from; saved with them, together with the curve."""
    evaluate_every: int
    """Steps of the agent between two evaluations."""
    validation_sessions: int
    """Sessions of an evaluation."""
    save_every: float
    """Seconds between two checkpoints."""
    seconds: float = 0.0
    """Training time so far, without evaluations."""
    curve: list[dict[str, float | None]] = field(default_factory=list)
    """The evaluations so far: global step, seconds, success and recognition."""
    machines: list[str] = field(default_factory=list)
    """The hardware it was trained on, in order: a run may stop on one machine and resume on another."""

    def __post_init__(self) -> None:
        self._saved_at, self._saving = time.monotonic(), 0.0

    def resume(self) -> None:
        """Continue from the folder's checkpoint, if there is one yet."""
        if self.folder.state_path.exists():
            tensors, arrays, record = load_state(self.folder.state_path)
            check_record(record, ("seconds", "curve", "machines"))
            self.trainer.restore((tensors, arrays, record))
            self.seconds, self.curve = float(record["seconds"]), list(record["curve"])
            self.machines = list(record["machines"])

    def train(self, callbacks: Sequence[Callback], should_stop: Callable[[], bool]) -> bool:
        """Train; returns whether the end was reached. Of several processes, only the main one has callbacks."""
        trainer = self.trainer
        if trainer.finished:
            return True
        if (here := self.provenance.get("hardware")) and self.machines[-1:] != [here]:
            self.machines.append(here)
        while not trainer.finished:
            if trainer.distributed.any(should_stop(), trainer.device):
                break
            self._train_iteration(callbacks)
            if trainer.distributed.any(time.monotonic() - self._saved_at >= self.save_every, trainer.device):
                self.save()
        self.save()
        return trainer.finished

    def _train_iteration(self, callbacks: Sequence[Callback]) -> None:
        """An iteration, an evaluation if one is due, and the callbacks for both."""
        metrics = self.trainer.train_iteration()
        self.seconds += metrics.training_seconds + self._saving
        evaluation, evaluating = self._evaluate() if self._evaluation_is_due() else (None, 0.0)
        phases = {**metrics.seconds, "evaluation": evaluating, "saving": self._saving}
        self._saving = 0.0  # the time of a checkpoint counts towards the iteration after it
        for callback in callbacks:
            callback.on_iteration(replace(metrics, seconds=phases), self.seconds)
            if evaluation is not None:
                callback.on_evaluation(evaluation)

    def save(self) -> None:
        """Write the agent's weights, and the state from which training can resume."""
        start, trainer = time.monotonic(), self.trainer
        tensors, arrays, record = trainer.state()
        if trainer.distributed.is_main:
            history = {"seconds": self.seconds, "curve": self.curve}
            provenance = {**self.provenance, "global_step": trainer.global_step, **history}
            if self.machines:
                provenance["hardware"] = self.hardware
            # The weights first: they are refused if training has diverged, and the last good state stays.
            trainer.save_weights(self.folder.weights_path, provenance)
            save_state(self.folder.state_path, tensors, arrays, {**record, **history, "machines": self.machines})
        self._saved_at = time.monotonic()
        self._saving = self._saved_at - start

    @property
    def hardware(self) -> str:
        """All machines it was trained on."""
        return ", then ".join(self.machines)

    def _evaluation_is_due(self) -> bool:
        before = self.trainer.global_step - self.trainer.config.steps_per_iteration
        due = self.trainer.global_step // self.evaluate_every > before // self.evaluate_every
        return self.trainer.distributed.is_main and (due or self.trainer.finished)

    def _evaluate(self) -> tuple[Evaluation, float]:
        """An evaluation with the teacher of the config, and how long it took."""
        start, trainer = time.monotonic(), self.trainer
        report = evaluate(
            trainer.agent, self.validation_sessions, catalogue=trainer.catalogue, settings=trainer.config.teacher
        )
        point = {"global_step": trainer.global_step, "seconds": round(self.seconds, 1)}
        rates = {"success": _percent(report.overall), "recognition": _percent(report.overall_recognition)}
        self.curve.append({**point, **rates})
        evaluation = Evaluation(trainer.iteration, trainer.global_step, self.seconds, report)
        return evaluation, time.monotonic() - start


def _percent(rate: Rate) -> float | None:
    return round(100 * rate.value, 2) if rate.trials else None


@contextmanager
def stop_on_signals() -> Iterator[Callable[[], bool]]:
    """Within, SIGINT and SIGTERM set a flag, so that an iteration is finished and saved; a second SIGINT interrupts."""
    stopped = False

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal stopped
        if stopped and number == signal.SIGINT:
            raise KeyboardInterrupt
        stopped = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
