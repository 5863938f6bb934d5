"""How far a job is, read from what it logs: the same for any launcher, and for jobs of other processes."""

import io
from dataclasses import dataclass
from pathlib import Path

from xworld.training.logger import PROGRESS_FILE

_TAIL = 16_384
"""Bytes at the end of a log that are looked at: some fifty rounds."""
_ROUNDS = 20
"""A single round is too noisy to read."""
_POINTS = 500
"""A curve has no more of them."""


@dataclass(frozen=True)
class JobProgress:
    """The latest of a job."""

    global_step: int
    seconds: float
    """Training time so far."""
    success: float | None
    """Of the sessions of the last rounds; None where none has ended."""


def standing(folder: Path) -> JobProgress | None:
    """How far the job of a folder is; None before its first round, and where its log cannot be read."""
    try:
        with (folder / PROGRESS_FILE).open("rb") as file:
            header = file.readline()
            file.seek(max(len(header), file.seek(0, io.SEEK_END) - _TAIL))
            rows = _whole_rows(header + file.read())
    except OSError:
        return None
    if not rows:
        return None
    try:
        rates = [float(row["success"]) for row in rows[-_ROUNDS:] if row["success"]]
        success = sum(rates) / len(rates) if rates else None
        return JobProgress(int(rows[-1]["global_step"]), float(rows[-1]["seconds"]), success)
    except (KeyError, ValueError):  # the job itself will say what is wrong with it
        return None


def training_curve(folder: Path) -> dict[str, list[float | None]]:
    """Reward and success against global_step, over all of training; long ones are averaged to a few hundred points."""
    rows = _whole_rows((folder / PROGRESS_FILE).read_bytes())
    width = -(-len(rows) // _POINTS) or 1
    parts = [rows[start : start + width] for start in range(0, len(rows), width)]
    curve: dict[str, list[float | None]] = {"global_step": [float(part[-1]["global_step"]) for part in parts]}
    return curve | {name: [_mean(part, name) for part in parts] for name in ("reward", "success")}


def _whole_rows(log: bytes) -> list[dict[str, str]]:
    """The rows of a log that are whole: the last one may not be finished, and of a part of a log neither the first."""
    *lines, _ = log.decode(errors="replace").split("\n")
    columns, *rows = (line.strip().split(",") for line in lines or [""])
    return [dict(zip(columns, row, strict=True)) for row in rows if len(row) == len(columns)]


def _mean(rows: list[dict[str, str]], name: str) -> float | None:
    values = [float(row[name]) for row in rows if row[name]]
    return sum(values) / len(values) if values else None
