"""The progress of a job, read from its log: works for any launcher, and for jobs of other processes."""

import io
from dataclasses import dataclass
from pathlib import Path

from xworld.training.logger import PROGRESS_FILE

_TAIL = 16_384
"""Bytes at the end of a log that are read: some fifty iterations."""
_ITERATIONS = 20
"""Success is averaged over this many: a single iteration is too noisy."""
_POINTS = 500
"""The most points of a curve."""


@dataclass(frozen=True)
class JobProgress:
    """The latest numbers of a job."""

    global_step: int
    seconds: float
    """Training time so far."""
    success: float | None
    """Success of the sessions of the last iterations; None if none has ended."""


def read_progress(folder: Path) -> JobProgress | None:
    """The progress of the job of a folder; None before its first iteration, and where its log cannot be read."""
    try:
        with (folder / PROGRESS_FILE).open("rb") as file:
            header = file.readline()
            file.seek(max(len(header), file.seek(0, io.SEEK_END) - _TAIL))
            rows = _complete_rows(header + file.read())
    except OSError:
        return None
    if not rows:
        return None
    try:
        success = _mean(rows[-_ITERATIONS:], "success")
        return JobProgress(int(rows[-1]["global_step"]), float(rows[-1]["seconds"]), success)
    except (KeyError, ValueError):  # the job itself will say what is wrong
        return None


def training_curve(folder: Path) -> dict[str, list[float | None]]:
    """Return and success of the sessions by global step; a long log is averaged to a few hundred points."""
    rows = _complete_rows((folder / PROGRESS_FILE).read_bytes())
    width = -(-len(rows) // _POINTS) or 1
    parts = [rows[start : start + width] for start in range(0, len(rows), width)]
    curve: dict[str, list[float | None]] = {"global_step": [float(part[-1]["global_step"]) for part in parts]}
    return curve | {name: [_mean(part, name) for part in parts] for name in ("session_return", "success")}


def _complete_rows(log: bytes) -> list[dict[str, str]]:
    """The complete rows of a log: the last may be unfinished, and in a part of a log also the first."""
    *lines, _ = log.decode(errors="replace").split("\n")
    columns, *rows = (line.strip().split(",") for line in lines or [""])
    return [dict(zip(columns, row, strict=True)) for row in rows if len(row) == len(columns)]


def _mean(rows: list[dict[str, str]], name: str) -> float | None:
    values = [float(row[name]) for row in rows if row[name]]
    return sum(values) / len(values) if values else None
