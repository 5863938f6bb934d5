"""What training reports, kept: two CSV files that anything can read, and event files for TensorBoard.

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
from xworld.training.progress import PHASES, Evaluation, Progress
from xworld.training.recent import training_seconds

if TYPE_CHECKING:  # torch takes a second to load
    from xworld.evaluation.report import EvaluationReport

PROGRESS_FILE, EVALUATIONS_FILE = "progress.csv", "evaluations.csv"
PLACE = ["iteration", "global_step", "seconds"]
"""The columns that every CSV file begins with. In TensorBoard the global_step are the steps."""
_NOTHING = Rate(0, 0)


class LogError(ValueError):
    """A log that cannot be begun or gone on with; the message names the file and says why."""


@dataclass(frozen=True)
class Figure:
    """A number under its two names."""

    column: str
    tag: str
    value: float | None
    """None where there is nothing to tell; a loss that is not a number is told."""


@dataclass(frozen=True)
class Row:
    """The numbers of one round or of one evaluation, and when that was."""

    iteration: int
    global_step: int
    seconds: float
    figures: tuple[Figure, ...]


class Sink(Protocol):
    """Where rows go."""

    def write(self, row: Row) -> None:
        """Keep a row so that it outlives the process, however that ends."""

    def close(self) -> None:
        """Write no more."""


class Logger:
    """The log of a run, in its folder: a line and a point for each round, and for each evaluation."""

    def __init__(self, rounds: Sequence[Sink], evaluations: Sequence[Sink], global_step: int = 0) -> None:
        self._rounds, self._evaluations, self._frames = rounds, evaluations, global_step

    @classmethod
    def create(cls, folder: str | Path) -> "Logger":
        """The log of a new run; one that is there already is refused."""
        files = [CsvFile.create(Path(folder) / name) for name in (PROGRESS_FILE, EVALUATIONS_FILE)]
        events = EventFiles(folder)
        return cls((files[0], events), (files[1], events))

    @classmethod
    def resume(cls, folder: str | Path, iteration: int, global_step: int) -> "Logger":
        """The log of a run that goes on from a saved state, which stands at this iteration and these global_step.

        What was logged of later rounds will come again, and is dropped. So that nothing is missing then, a state is to
        be saved after its round is reported and evaluated.
        """
        files = [CsvFile.resume(Path(folder) / name, iteration) for name in (PROGRESS_FILE, EVALUATIONS_FILE)]
        events = EventFiles(folder, purge_step=global_step + 1)
        return cls((files[0], events), (files[1], events), global_step)

    def report(self, progress: Progress, seconds: float) -> None:
        """Keep a round; `seconds` is the training time so far, evaluations left out."""
        figures = tuple(_of_round(progress, progress.global_step - self._frames))
        self._frames = progress.global_step
        row = Row(progress.iteration, progress.global_step, seconds, figures)
        for sink in self._rounds:
            sink.write(row)

    def evaluated(self, evaluation: Evaluation) -> None:
        """Keep an evaluation."""
        figures = tuple(_of_report(evaluation.report))
        row = Row(evaluation.iteration, evaluation.global_step, evaluation.seconds, figures)
        for sink in self._evaluations:
            sink.write(row)

    def close(self) -> None:
        """End the log. One whose process was killed is as whole without that."""
        with ExitStack() as stack:  # each is closed even where another cannot be
            for sink in {*self._rounds, *self._evaluations}:
                stack.callback(sink.close)

    def __enter__(self) -> "Logger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CsvFile:
    """A line for each row, under columns that the first row fixes."""

    def __init__(self, path: Path, columns: list[str]) -> None:
        self._path, self._columns = path, columns
        self._file: TextIO | None = None

    @classmethod
    def create(cls, path: Path) -> "CsvFile":
        """A new file, made when its first row comes."""
        if path.exists():
            raise LogError(f"{path} is there already and is left as it is: name another --folder, or --resume")
        return cls(path, [])

    @classmethod
    def resume(cls, path: Path, iteration: int) -> "CsvFile":
        """Go on after this iteration: rows of later ones are dropped, and a last line that was never finished."""
        header, *rows = _read(path) if path.exists() else [[]]
        if header:
            kept = [row for row in rows if int(row[0]) <= iteration]
            write_atomic(path, "".join(map(_as_line, [header, *kept])).encode())
        return cls(path, header)

    def write(self, row: Row) -> None:
        """Add a line and hand it to the system, which keeps it if the process is killed."""
        cells = {"iteration": str(row.iteration), "global_step": str(row.global_step), "seconds": _as_text(row.seconds)}
        cells |= {figure.column: _as_text(figure.value) for figure in row.figures}
        if self._file is None:
            self._file = self._open(list(cells))
        if unknown := [column for column in cells if column not in self._columns]:
            raise LogError(f"{self._path} has no column {', '.join(unknown)}: its first round did not report that")
        self._file.write(_as_line([cells.get(column, "") for column in self._columns]))
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _open(self, columns: list[str]) -> TextIO:
        """The file, open for more lines and with its header."""
        if self._columns:
            _check_columns(self._path, self._columns, columns)
            return self._path.open("a", encoding="utf-8", newline="")
        self._columns = columns
        file = self._path.open("w", encoding="utf-8", newline="")  # what is there, if anything, is a torn header
        file.write(_as_line(columns))
        return file


class EventFiles:
    """Points for TensorBoard; the steps are the agent's, so that runs with rounds of another size compare."""

    def __init__(self, folder: str | Path, purge_step: int | None = None) -> None:
        """From `purge_step` on, TensorBoard forgets what earlier files of the folder say."""
        from torch.utils.tensorboard import SummaryWriter  # takes a second to load

        self._writer = SummaryWriter(str(folder), purge_step=purge_step)

    def write(self, row: Row) -> None:
        """Add a point for each number."""
        for figure in row.figures:
            if figure.value is not None:
                self._writer.add_scalar(figure.tag, figure.value, row.global_step)
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()


def _of_round(progress: Progress, global_step: int) -> Iterator[Figure]:
    """The numbers of a round that was so many global_step long."""
    yield Figure("success", "success/overall", _known(sum(progress.success.values(), start=_NOTHING)))
    for name in dict.fromkeys((*COMMAND_NAMES, *progress.success)):  # a type that is yet to come has its column too
        yield Figure(f"success_{name}", f"success/{name}", _known(progress.success.get(name, _NOTHING)))
    yield Figure("answers", "answers/right", _known(progress.answers))
    yield Figure("reward", "reward/session", None if math.isnan(progress.reward) else progress.reward)
    for name, loss in progress.losses.items():
        yield Figure(f"loss_{name}", f"loss/{name}", loss)
    yield Figure("learning_rate", "schedule/learning_rate", progress.learning_rate)
    yield Figure("difficulty", "schedule/difficulty", progress.difficulty)
    for phase in PHASES:
        yield Figure(f"seconds_{phase}", f"seconds/{phase}", progress.seconds.get(phase, 0.0))
    seconds = training_seconds(progress)
    yield Figure("steps_per_second", "speed/steps_per_second", global_step / seconds if seconds else None)


def _of_report(report: "EvaluationReport") -> Iterator[Figure]:
    """The numbers of an evaluation."""
    overall = report.overall
    yield Figure("sessions", "evaluation/sessions", overall.trials)
    yield Figure("success", "evaluation/success", _known(overall))
    yield Figure("success_low", "evaluation/success_low", overall.low if overall.trials else None)
    yield Figure("success_high", "evaluation/success_high", overall.high if overall.trials else None)
    for name, rate in report.success.items():
        yield Figure(f"success_{name}", f"evaluation/{name}", _known(rate))
    yield Figure("path_efficiency", "evaluation/path_efficiency", report.path_efficiency)
    yield Figure("answers", "evaluation/answers", _known(report.overall_recognition))
    for name, rate in report.recognition.items():
        yield Figure(f"answers_{name}", f"evaluation_answers/{name}", _known(rate))


def _known(rate: Rate) -> float | None:
    return rate.value if rate.trials else None


def _as_text(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _as_line(cells: list[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _read(path: Path) -> list[list[str]]:
    """The header, empty where there is none yet, and the rows; a file that is no log of ours is refused."""
    data = path.read_bytes()
    start = "".join(f"{name}," for name in PLACE).encode()
    if data[: len(start)] != start[: len(data)]:
        raise LogError(f"{path} is no log of xworld: it does not begin with {start.decode()!r}; move it away")
    *lines, _ = data.decode(errors="replace").split("\n")  # what follows the last line break was never finished
    header, *rows = list(csv.reader(lines)) or [[]]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header) or not (row[0].isdecimal() and row[1].isdecimal()):
            raise LogError(f"{path} is damaged in line {number}: mend it, or move the file away")
    return [header, *rows]


def _check_columns(path: Path, there: list[str], reported: list[str]) -> None:
    if there == reported:
        return
    missing = [column for column in reported if column not in there]
    extra = [column for column in there if column not in reported]
    faults = [f"it lacks {', '.join(missing)}"] if missing else []
    faults += [f"it alone has {', '.join(extra)}"] if extra else []
    raise LogError(
        f"{path} has other columns than this run reports: {'; '.join(faults) or 'their order differs'}. "
        f"Go on with the xworld that began it, or move the file away"
    )
