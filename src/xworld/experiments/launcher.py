"""Launchers run jobs, several at once, and report how each has ended."""

from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Protocol

JOB_LOG = "job.log"
"""The output of a job, and why it failed, in its folder."""
CORES = 2
"""Cores that a job keeps busy."""


class Ending(Enum):
    """How a job can end; the value is the exit status of its process."""

    DONE = 0
    FAILED = 1  # its log says why
    BUSY = 75  # another process is running it
    STOPPED = 130  # it can be resumed


class Launcher(Protocol):
    """Runs the jobs of folders."""

    @property
    def has_room(self) -> bool:
        """Whether one more job can be started."""

    def start(self, path: Path) -> None:
        """Start or resume the job of a folder."""

    def ended(self) -> Iterable[tuple[Path, Ending]]:
        """The jobs that have ended since the last call."""

    def stop(self) -> None:
        """Ask all jobs to save and end; `ended` still reports them."""

    def close(self) -> None:
        """End whatever is still running at once."""


def add_to_log(path: Path, line: str) -> None:
    """Add a line to the log of a job; where that fails, as on a full disk, the other jobs go on."""
    with suppress(OSError), (path / JOB_LOG).open("a") as log:
        print(f"xworld: {line}", file=log)
