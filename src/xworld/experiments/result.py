"""The result of a job: one JSON file, written whole, sealed with a checksum, and refused if a bit of it has changed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from xworld.evaluation.report import never_heard
from xworld.experiments.grid import Job
from xworld.teacher.settings import COMMAND_NAMES
from xworld.training.atomic_file import write_atomic

RESULT = "result.json"
_SEAL = "sha256"


class ResultError(ValueError):
    """A result that cannot be relied on; the message names the file and says why."""


@dataclass(frozen=True)
class Result:
    """What became of a job."""

    job: Job
    settings: Mapping[str, Any]
    """Those of its folder: the config and how it was tested."""
    evaluation: Mapping[str, Any]
    """Rates, each with its interval and the number of trials, by name."""
    curve: Mapping[str, list[float | None]]
    """Of training: global_step, and the reward and the success of the sessions that ended then."""
    global_step: int
    """Steps of the agent in training."""
    seconds: Mapping[str, float]
    """Of training and of testing."""
    hardware: str
    versions: Mapping[str, str]
    """Of xworld, torch and Python."""

    def write(self, folder: Path) -> None:
        """Put the result in its place, at once and whole."""
        content = json.loads(json.dumps(asdict(self), allow_nan=False))
        sealed = {**content, _SEAL: _checksum(content)}
        write_atomic(folder / RESULT, (json.dumps(sealed, indent=1) + "\n").encode())

    @classmethod
    def read(cls, folder: Path) -> "Result":
        """The result in a folder; `FileNotFoundError` where there is none, `ResultError` where it is damaged."""
        path = folder / RESULT
        try:
            content = json.loads(path.read_bytes())
            if content.pop(_SEAL) != _checksum(content):
                raise ResultError(f"{path} is damaged: its content does not have the checksum that it carries")
            return cls(**{**content, "job": Job(**content["job"])})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            if isinstance(error, ResultError):
                raise
            raise ResultError(f"{path} is damaged: it is no result of xworld ({error})") from error

    def rate(self, name: str) -> float | None:
        """One of the rates of the evaluation, from 0 to 1; None where it was not measured."""
        if name == "*overall":
            return self._never_heard()
        figure = self.evaluation.get(name)
        value = figure.get("rate") if isinstance(figure, Mapping) else figure
        return float(value) if isinstance(value, int | float) else None

    def _never_heard(self) -> float | None:
        """Success over the starred rows that count, added up here: earlier versions wrote the sum of all of them."""
        starred = {name: self.evaluation.get(f"*{name}") for name in COMMAND_NAMES}
        rows = [row for row in never_heard(starred, self.job.condition).values() if row]
        trials = sum(row["trials"] for row in rows)
        return sum(row["rate"] * row["trials"] for row in rows) / trials if trials else None


def read_all(folder: Path) -> tuple[list[Result], list[str]]:
    """All whole results in the folders of a folder, and a line for each that is damaged."""
    results, faults = [], []
    for path in sorted(folder.glob(f"*/{RESULT}")):
        try:
            results.append(Result.read(path.parent))
        except (ResultError, OSError) as error:
            faults.append(str(error))
    return results, faults


def _checksum(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
