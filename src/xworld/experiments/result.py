"""The result of a job: one JSON file with a checksum, refused if anything in it has changed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from xworld.experiments.grid import Job
from xworld.training.atomic_file import write_atomic

RESULT = "result.json"
_CHECKSUM = "sha256"


class ResultError(ValueError):
    """A damaged result; the message names the file and says why."""


@dataclass(frozen=True)
class Result:
    """Everything about a finished job."""

    job: Job
    settings: Mapping[str, Any]
    """The settings.json of its folder: how it was trained and tested."""
    evaluation: Mapping[str, Any]
    """Rates by name, each with its interval and number of trials."""
    curve: Mapping[str, list[float | None]]
    """Of training: `global_step`, and `session_return` and `success` of the sessions that ended then."""
    global_step: int
    """Steps of the agent in training."""
    seconds: Mapping[str, float]
    """Time of `training` and of `testing`."""
    hardware: str
    versions: Mapping[str, str]
    """Of xworld, torch and Python."""

    def write(self, folder: Path) -> None:
        """Write the result into a folder, atomically."""
        content = json.loads(json.dumps(asdict(self), allow_nan=False))
        checked = {**content, _CHECKSUM: _checksum(content)}
        write_atomic(folder / RESULT, (json.dumps(checked, indent=1) + "\n").encode())

    @classmethod
    def read(cls, folder: Path) -> "Result":
        """The result in a folder; `FileNotFoundError` if there is none, `ResultError` if it is damaged."""
        path = folder / RESULT
        try:
            content = json.loads(path.read_bytes())
            if content.pop(_CHECKSUM) != _checksum(content):
                raise ResultError(f"{path} is damaged: its content does not match its checksum")
            return cls(**{**content, "job": Job(**content["job"])})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            if isinstance(error, ResultError):
                raise
            raise ResultError(f"{path} is damaged: it is not a result of xworld ({error})") from error

    def rate(self, name: str) -> float | None:
        """A rate of the evaluation, from 0 to 1; None where it was not measured."""
        figure = self.evaluation.get(name)
        value = figure.get("rate") if isinstance(figure, Mapping) else figure
        return float(value) if isinstance(value, int | float) else None


def read_all(folder: Path) -> tuple[list[Result], list[str]]:
    """All intact results in the folders of a folder, and a line for each damaged one."""
    results, faults = [], []
    for path in sorted(folder.glob(f"*/{RESULT}")):
        try:
            results.append(Result.read(path.parent))
        except (ResultError, OSError) as error:
            faults.append(str(error))
    return results, faults


def _checksum(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
