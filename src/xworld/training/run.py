"""A training run in its folder: rounds, tests and checkpoints until the end, or until it is told to stop."""

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any, Protocol

from xworld.evaluation.rate import Rate
from xworld.evaluation.success import evaluate
from xworld.training.checkpoint import load_state, save_state, save_weights
from xworld.training.progress import Evaluation, Progress
from xworld.training.recent import training_seconds
from xworld.training.run_folder import RunFolder
from xworld.training.trainer import Trainer


class Watcher(Protocol):
    """Somebody who wants to know how training goes."""

    def report(self, progress: Progress, seconds: float) -> None:
        """After a round; `seconds` is the training time so far, tests left out."""

    def evaluated(self, evaluation: Evaluation) -> None:
        """After a test."""


@dataclass
class TrainingRun:
    """Trains, tests now and then, and saves so that it can go on after any end."""

    trainer: Trainer
    folder: RunFolder
    provenance: Mapping[str, Any]
    """Where the weights come from; goes with them, together with the curve."""
    evaluate_every: int
    """Steps of the agent between two tests."""
    test_sessions: int
    """Sessions of a test."""
    save_every: float
    """Seconds between two checkpoints."""
    seconds: float = 0.0
    """Training time so far, tests left out."""
    curve: list[dict[str, float | None]] = field(default_factory=list)
    """The tests so far: global_step, seconds, success and recognition."""
    machines: list[str] = field(default_factory=list)
    """What it was trained on, in turn: a run may stop on one machine and continue on another."""

    def __post_init__(self) -> None:
        self._saved_at, self._saving = time.monotonic(), 0.0

    def go_on(self) -> None:
        """Go on from the folder's checkpoint, if there is one yet."""
        if self.folder.state_path.exists():
            tensors, arrays, record = load_state(self.folder.state_path)
            self.trainer.restore((tensors, arrays, record))
            self.seconds, self.curve = float(record["seconds"]), list(record["curve"])
            self.machines = list(record.get("machines", ()))  # states of earlier versions do not tell

    def train(self, watchers: Sequence[Watcher], told_to_stop: Callable[[], bool]) -> bool:
        """Train; returns whether the end was reached. In a distributed, watchers are the leader's alone."""
        trainer = self.trainer
        if trainer.finished:
            return True
        if (here := self.provenance.get("hardware")) and self.machines[-1:] != [here]:
            self.machines.append(here)
        while not trainer.finished:
            if trainer.distributed.any(told_to_stop(), trainer.device):
                break
            self._train_once(watchers)
            if trainer.distributed.any(time.monotonic() - self._saved_at >= self.save_every, trainer.device):
                self.save()
        self.save()
        return trainer.finished

    def _train_once(self, watchers: Sequence[Watcher]) -> None:
        """A round, a test if one is due, and word of both."""
        progress = self.trainer.train_once()
        self.seconds += training_seconds(progress) + self._saving
        evaluation, testing = self._test() if self._test_is_due() else (None, 0.0)
        phases = {**progress.seconds, "evaluating": testing, "saving": self._saving}
        self._saving = 0.0  # it is counted to the round that follows it
        for watcher in watchers:
            watcher.report(replace(progress, seconds=phases), self.seconds)
            if evaluation is not None:
                watcher.evaluated(evaluation)

    def save(self) -> None:
        """Write the whole state, from which training can go on, and the agent's weights."""
        begun, trainer = time.monotonic(), self.trainer
        tensors, arrays, record = trainer.state()
        if trainer.distributed.is_main:
            history = {"seconds": self.seconds, "curve": self.curve}
            provenance = {**self.provenance, "global_step": trainer.global_step, **history}
            if self.machines:
                provenance["hardware"] = self.hardware
            # The weights first: they are refused if training has gone astray, and the last sound state stays.
            save_weights(self.folder.weights_path, trainer.agent, provenance, trainer.catalogue.classes, trainer.words)
            save_state(self.folder.state_path, tensors, arrays, {**record, **history, "machines": self.machines})
        self._saved_at = time.monotonic()
        self._saving = self._saved_at - begun

    @property
    def hardware(self) -> str:
        """In words, what it was trained on."""
        return ", then ".join(self.machines)

    def _test_is_due(self) -> bool:
        before = self.trainer.global_step - self.trainer.config.steps_per_iteration
        due = self.trainer.global_step // self.evaluate_every > before // self.evaluate_every
        return self.trainer.distributed.is_main and (due or self.trainer.finished)

    def _test(self) -> tuple[Evaluation, float]:
        """A test in the config's own worlds, and how long it took."""
        begun, trainer = time.monotonic(), self.trainer
        report = evaluate(trainer.agent, self.test_sessions, settings=trainer.config.teacher)
        evaluation = Evaluation(trainer.iteration, trainer.global_step, self.seconds, report)
        self.curve.append(
            {
                "global_step": trainer.global_step,
                "seconds": round(self.seconds, 1),
                "success": _percent(report.overall),
                "recognition": _percent(report.overall_recognition),
            }
        )
        return evaluation, time.monotonic() - begun


def _percent(rate: Rate) -> float | None:
    return round(100 * rate.value, 2) if rate.trials else None


@contextmanager
def stopping_on_signals() -> Iterator[Callable[[], bool]]:
    """Within, ctrl-C or a kind kill only raises a flag, so that a round is finished and saved; a second ctrl-C ends."""
    told = False

    def hear(number: int, _: FrameType | None) -> None:
        nonlocal told
        if told and number == signal.SIGINT:
            raise KeyboardInterrupt
        told = True

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
