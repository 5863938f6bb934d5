"""The log of a run: two CSV files that any program can read, and event files for TensorBoard.

`docs/training.md` explains every number.
"""

import csv
import io
import math
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from xworld.evaluation.rate import Rate
from xworld.teacher.settings import COMMAND_NAMES
from xworld.training.atomic_file import naming, write_atomic
from xworld.training.event_file import EventFile
from xworld.training.metrics import PHASES, Evaluation, Metrics

PROGRESS_FILE, EVALUATIONS_FILE = "progress.csv", "evaluations.csv"
FIRST_COLUMNS = ["iteration", "global_step", "seconds"]
"""Every CSV file begins with these. TensorBoard's step is the global step."""
_GROUPS = {"learning_rate": "schedule", "difficulty": "schedule", "seconds": "time", "steps": "time"}
"""The groups of TensorBoard for the columns of progress.csv that begin like this; those of the others are `rollout`."""

Row = dict[str, float | None]
"""Numbers by column; None where there is nothing to log. A loss that is NaN is logged."""


class LogError(ValueError):
    """A log that cannot be continued; the message names the file and says why."""


class Logger(ExitStack):
    """The log of a run in its folder: a row for each iteration, and for each evaluation.

    `close` closes each file even where another cannot be. The log of a killed process is complete without that.
    """

    def __init__(
        self, progress: "CsvFile", evaluations: "CsvFile", events: EventFile | None, global_step: int = 0
    ) -> None:
        super().__init__()
        self._progress, self._evaluations, self._events = progress, evaluations, events
        self._global_step = global_step
        self.callback(progress.close)
        self.callback(evaluations.close)
        if events is not None:
            self.callback(events.close)

    @classmethod
    def open(cls, folder: str | Path, iteration: int = 0, global_step: int = 0) -> "Logger":
        """The log of a run that starts now, or resumes from a state of this iteration and global step.

        Rows of later iterations are dropped, because these will be repeated. So that none is missing, a state must be
        saved after its iteration has been logged.
        """
        progress, evaluations = (CsvFile(Path(folder) / name, iteration) for name in (PROGRESS_FILE, EVALUATIONS_FILE))
        return cls(progress, evaluations, EventFile(folder, first_step=global_step + 1), global_step)

    def on_iteration(self, metrics: Metrics, seconds: float) -> None:
        """Log an iteration; `seconds` is the training time so far, without evaluations."""
        row = _of_iteration(metrics, metrics.global_step - self._global_step)
        self._global_step = metrics.global_step
        self._progress.write((metrics.iteration, metrics.global_step, seconds), row)
        self._add_points({_tag(column): value for column, value in row.items()}, metrics.global_step)

    def on_evaluation(self, evaluation: Evaluation) -> None:
        """Log an evaluation."""
        row = _of_evaluation(evaluation)
        self._evaluations.write((evaluation.iteration, evaluation.global_step, evaluation.seconds), row)
        self._add_points({f"eval/{column}": value for column, value in row.items()}, evaluation.global_step)

    def _add_points(self, values: Row, global_step: int) -> None:
        """Points by global step, so that runs with iterations of different sizes compare."""
        if self._events is not None:
            self._events.add({tag: value for tag, value in values.items() if value is not None}, global_step)


class CsvFile:
    """A line for each row, under the columns of the first row."""

    def __init__(self, path: Path, iteration: int) -> None:
        """Keep the rows up to this iteration: later ones are dropped, and a last line that is incomplete."""
        self._path, self._columns = path, list[str]()
        self._file: TextIO | None = None
        if path.exists():
            self._columns, *rows = _read(path)
            kept = [row for row in rows if int(row[0]) <= iteration]
            if self._columns:
                write_atomic(path, "".join(map(_as_line, [self._columns, *kept])).encode())

    def write(self, first: tuple[int, int, float], row: Row) -> None:
        """Add a line and hand it to the system, which keeps it if the process is killed."""
        iteration, global_step, seconds = first
        cells = dict(zip(FIRST_COLUMNS, (str(iteration), str(global_step), f"{seconds:.6g}"), strict=True))
        cells |= {column: "" if value is None else f"{value:.6g}" for column, value in row.items()}
        with naming(self._path):
            if self._file is None:
                self._file = self._open(list(cells))
            if unknown := [column for column in cells if column not in self._columns]:
                raise LogError(f"{self._path} has no column {', '.join(unknown)}: its first row did not have it")
            self._file.write(_as_line([cells.get(column, "") for column in self._columns]))
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with naming(self._path):
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


def _of_iteration(metrics: Metrics, steps: int) -> Row:
    """The numbers of an iteration of this many steps."""
    commands = dict.fromkeys((*COMMAND_NAMES, *metrics.success))  # also types that are not used in training
    seconds = metrics.training_seconds
    return {
        "success": _value(metrics.overall),
        **{f"success_{name}": _value(metrics.success.get(name, Rate(0, 0))) for name in commands},
        "answer_accuracy": _value(metrics.answer_accuracy),
        "session_return": None if math.isnan(metrics.session_return) else metrics.session_return,
        **{f"loss_{name}": loss for name, loss in metrics.losses.items()},
        "learning_rate": metrics.learning_rate,
        "difficulty": metrics.difficulty,
        **{f"seconds_{phase}": metrics.seconds.get(phase, 0.0) for phase in PHASES},
        "steps_per_second": steps / seconds if seconds else None,
    }


def _of_evaluation(evaluation: Evaluation) -> Row:
    report, overall = evaluation.report, evaluation.report.overall
    return {
        "sessions": overall.trials,
        "success": _value(overall),
        "success_low": overall.low if overall.trials else None,
        "success_high": overall.high if overall.trials else None,
        **{f"success_{name}": _value(rate) for name, rate in report.success.items()},
        "path_efficiency": report.path_efficiency,
        "answer_accuracy": _value(report.overall_recognition),
        **{f"answer_accuracy_{name}": _value(rate) for name, rate in report.recognition.items()},
    }


def _value(rate: Rate) -> float | None:
    return rate.value if rate.trials else None


def _tag(column: str) -> str:
    """The name of a column of progress.csv in TensorBoard.

    >>> _tag("loss_policy"), _tag("seconds_update"), _tag("success")
    ('loss/policy', 'time/seconds_update', 'rollout/success')
    """
    if column.startswith("loss_"):
        return column.replace("_", "/", 1)
    group = next((group for start, group in _GROUPS.items() if column.startswith(start)), "rollout")
    return f"{group}/{column}"


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
