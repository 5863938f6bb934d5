"""The log of a run: two CSV files that any program can read, and event files for TensorBoard.

`docs/training.md` explains every number.
"""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO

from xworld.evaluation.rate import Rate
from xworld.teacher.settings import COMMAND_NAMES
from xworld.training.atomic_file import write_atomic
from xworld.training.metrics import PHASES, Evaluation, Metrics

if TYPE_CHECKING:  # torch takes a second to load
    from xworld.evaluation.report import EvaluationReport

PROGRESS_FILE, EVALUATIONS_FILE = "progress.csv", "evaluations.csv"
FIRST_COLUMNS = ["iteration", "global_step", "seconds"]
"""Every CSV file begins with these. TensorBoard's step is the global step."""


class LogError(ValueError):
    """A log that cannot be continued; the message names the file and says why."""


@dataclass(frozen=True)
class Scalar:
    """A logged number: its CSV column, and its group in TensorBoard."""

    group: str
    column: str
    value: float | None
    """None where there is nothing to log; a loss that is NaN is logged."""

    @property
    def tag(self) -> str:
        """The name in TensorBoard.

        >>> Scalar("loss", "loss_policy", 0.5).tag, Scalar("rollout", "success", 0.5).tag
        ('loss/policy', 'rollout/success')
        """
        return f"{self.group}/{self.column.removeprefix(f'{self.group}_')}"


@dataclass(frozen=True)
class Row:
    """The numbers of one iteration or of one evaluation, and when that was."""

    iteration: int
    global_step: int
    seconds: float
    scalars: tuple[Scalar, ...]


class Sink(Protocol):
    """Where rows are written."""

    def write(self, row: Row) -> None:
        """Write a row so that it survives the process, however that ends."""

    def close(self) -> None:
        """Write no more."""


class Logger:
    """The log of a run in its folder: a row for each iteration, and for each evaluation."""

    def __init__(self, progress: Sequence[Sink], evaluations: Sequence[Sink], global_step: int = 0) -> None:
        self._progress, self._evaluations, self._global_step = progress, evaluations, global_step

    @classmethod
    def open(cls, folder: str | Path, iteration: int = 0, global_step: int = 0) -> "Logger":
        """The log of a run that starts now, or resumes from a state of this iteration and global step.

        Rows of later iterations are dropped, because these will be repeated. So that none is missing, a state must be
        saved after its iteration has been logged.
        """
        progress, evaluations = (CsvFile(Path(folder) / name, iteration) for name in (PROGRESS_FILE, EVALUATIONS_FILE))
        events = EventFiles(folder, purge_step=global_step + 1)
        return cls((progress, events), (evaluations, events), global_step)

    def on_iteration(self, metrics: Metrics, seconds: float) -> None:
        """Log an iteration; `seconds` is the training time so far, without evaluations."""
        scalars = tuple(_of_iteration(metrics, metrics.global_step - self._global_step))
        self._global_step = metrics.global_step
        row = Row(metrics.iteration, metrics.global_step, seconds, scalars)
        for sink in self._progress:
            sink.write(row)

    def on_evaluation(self, evaluation: Evaluation) -> None:
        """Log an evaluation."""
        scalars = tuple(_of_evaluation(evaluation.report))
        row = Row(evaluation.iteration, evaluation.global_step, evaluation.seconds, scalars)
        for sink in self._evaluations:
            sink.write(row)

    def close(self) -> None:
        """Close all files. A log whose process was killed is complete without that."""
        with ExitStack() as stack:  # each is closed even where another cannot be
            for sink in {*self._progress, *self._evaluations}:
                stack.callback(sink.close)

    def __enter__(self) -> "Logger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CsvFile:
    """A line for each row, under the columns of the first row."""

    def __init__(self, path: Path, iteration: int = 0) -> None:
        """Keep the rows up to this iteration: later ones are dropped, and a last line that is incomplete."""
        self._path, self._columns = path, list[str]()
        self._file: TextIO | None = None
        if path.exists():
            self._columns, *rows = _read(path)
            kept = [row for row in rows if int(row[0]) <= iteration]
            if self._columns:
                write_atomic(path, "".join(map(_as_line, [self._columns, *kept])).encode())

    def write(self, row: Row) -> None:
        """Add a line and hand it to the system, which keeps it if the process is killed."""
        first = str(row.iteration), str(row.global_step), _as_text(row.seconds)
        cells = dict(zip(FIRST_COLUMNS, first, strict=True))
        cells |= {scalar.column: _as_text(scalar.value) for scalar in row.scalars}
        if self._file is None:
            self._file = self._open(list(cells))
        if unknown := [column for column in cells if column not in self._columns]:
            raise LogError(f"{self._path} has no column {', '.join(unknown)}: its first row did not have it")
        self._file.write(_as_line([cells.get(column, "") for column in self._columns]))
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _open(self, columns: list[str]) -> TextIO:
        """The file, ready for more lines, with its header."""
        if self._columns:
            _check_columns(self._path, self._columns, columns)
            return self._path.open("a", encoding="utf-8", newline="")
        self._columns = columns
        file = self._path.open("w", encoding="utf-8", newline="")  # an incomplete header may be there
        file.write(_as_line(columns))
        return file


class EventFiles:
    """Points for TensorBoard, by global step, so that runs with iterations of different sizes compare."""

    def __init__(self, folder: str | Path, purge_step: int) -> None:
        """TensorBoard ignores what earlier files of the folder say from `purge_step` on."""
        from torch.utils.tensorboard import SummaryWriter  # takes a second to load

        self._writer = SummaryWriter(str(folder), purge_step=purge_step)

    def write(self, row: Row) -> None:
        """Add a point for each number."""
        for scalar in row.scalars:
            if scalar.value is not None:
                self._writer.add_scalar(scalar.tag, scalar.value, row.global_step)
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()


def _of_iteration(metrics: Metrics, steps: int) -> Iterator[Scalar]:
    """The numbers of an iteration of this many steps."""
    yield Scalar("rollout", "success", _value(metrics.overall))
    for name in dict.fromkeys((*COMMAND_NAMES, *metrics.success)):  # also types that are not used in training
        yield Scalar("rollout", f"success_{name}", _value(metrics.success.get(name, Rate(0, 0))))
    yield Scalar("rollout", "answer_accuracy", _value(metrics.answer_accuracy))
    yield Scalar("rollout", "session_return", None if math.isnan(metrics.session_return) else metrics.session_return)
    for name, loss in metrics.losses.items():
        yield Scalar("loss", f"loss_{name}", loss)
    yield Scalar("schedule", "learning_rate", metrics.learning_rate)
    yield Scalar("schedule", "difficulty", metrics.difficulty)
    for phase in PHASES:
        yield Scalar("time", f"seconds_{phase}", metrics.seconds.get(phase, 0.0))
    seconds = metrics.training_seconds
    yield Scalar("time", "steps_per_second", steps / seconds if seconds else None)


def _of_evaluation(report: "EvaluationReport") -> Iterator[Scalar]:
    """The numbers of an evaluation."""
    overall = report.overall
    yield Scalar("eval", "sessions", overall.trials)
    yield Scalar("eval", "success", _value(overall))
    yield Scalar("eval", "success_low", overall.low if overall.trials else None)
    yield Scalar("eval", "success_high", overall.high if overall.trials else None)
    for name, rate in report.success.items():
        yield Scalar("eval", f"success_{name}", _value(rate))
    yield Scalar("eval", "path_efficiency", report.path_efficiency)
    yield Scalar("eval", "answer_accuracy", _value(report.overall_recognition))
    for name, rate in report.recognition.items():
        yield Scalar("eval", f"answer_accuracy_{name}", _value(rate))


def _value(rate: Rate) -> float | None:
    return rate.value if rate.trials else None


def _as_text(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _as_line(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _read(path: Path) -> list[list[str]]:
    """The header, empty if it is incomplete, and the rows; a file that is not a log of xworld is refused."""
    data = path.read_bytes()
    start = "".join(f"{name}," for name in FIRST_COLUMNS).encode()
    if data[: len(start)] != start[: len(data)]:
        raise LogError(f"{path} is not a log of xworld: it does not begin with {start.decode()!r}; move it away")
    *lines, _ = data.decode(errors="replace").split("\n")  # what follows the last line break is incomplete
    header, *rows = list(csv.reader(lines)) or [[]]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header) or not (row[0].isdecimal() and row[1].isdecimal()):
            raise LogError(f"{path} is damaged in line {number}: repair it, or move the file away")
    return [header, *rows]


def _check_columns(path: Path, there: list[str], logged: list[str]) -> None:
    if there == logged:
        return
    missing = [column for column in logged if column not in there]
    extra = [column for column in there if column not in logged]
    faults = [f"it lacks {', '.join(missing)}"] if missing else []
    faults += [f"it also has {', '.join(extra)}"] if extra else []
    raise LogError(
        f"{path} has other columns than this run logs: {'; '.join(faults) or 'their order differs'}. "
        f"Resume with the version of xworld that started the run, or move the file away"
    )
