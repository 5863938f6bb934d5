"""What an launcher is: something that does jobs, several at once, and tells how each has ended."""

from collections.abc import Iterable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Protocol

JOB_LOG = "job.log"
"""What a job says, and why it failed, in its folder."""


class Ending(Enum):
    """How a job can end; the value is the exit status of its process."""

    DONE = 0
    """Its result is there."""
    FAILED = 1
    """Its log says why."""
    BUSY = 75
    """Another process is doing it."""
    STOPPED = 130
    """It was told to stop, and can be gone on with."""

    @classmethod
    def of(cls, status: int) -> "Ending":
        """The ending behind an exit status.

        >>> Ending.of(75), Ending.of(-9)
        (<Ending.BUSY: 75>, <Ending.FAILED: 1>)
        """
        return cls(status) if status in {ending.value for ending in cls} else cls.FAILED


class Launcher(Protocol):
    """Does the jobs of folders."""

    @property
    def has_room(self) -> bool:
        """Whether one more job can be started."""

    def start(self, path: Path) -> None:
        """Begin the job of a folder, or go on with it."""

    def ended(self) -> Iterable[tuple[Path, Ending]]:
        """The jobs that have ended since the last call."""

    def stop(self) -> None:
        """Tell all jobs to save and to end; how they ended is told as ever."""

    def close(self) -> None:
        """End at once whatever is still running."""


def add_to_log(path: Path, line: str) -> None:
    """Say something in the log of a job; where that cannot be written, on a full disk say, the other jobs go on."""
    with suppress(OSError), (path / JOB_LOG).open("a") as log:
        print(f"xworld: {line}", file=log)
