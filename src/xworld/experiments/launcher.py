"""Launchers run jobs, several at once, and report how each has ended; how many jobs a machine can run."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Protocol

JOB_LOG = "job.log"
"""The output of a job, and why it failed, in its folder."""
CORES = 2
"""Cores that a job keeps busy."""
_GPU_MEMORY = 4 * 2**30
"""Bytes of GPU memory that a job may need."""


class Ending(Enum):
    """How a job can end; the value is the exit status of its process."""

    DONE = 0
    """Its result is there."""
    FAILED = 1
    """Its log says why."""
    BUSY = 75
    """Another process is running it."""
    STOPPED = 130
    """It was stopped, and can be resumed."""

    @classmethod
    def of(cls, status: int) -> "Ending":
        """The ending for an exit status.

        >>> Ending.of(75), Ending.of(-9)
        (<Ending.BUSY: 75>, <Ending.FAILED: 1>)
        """
        return cls(status) if status in {ending.value for ending in cls} else cls.FAILED


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


def jobs_at_once(cores: int, gpus: Sequence[int]) -> int:
    """The number of jobs that a machine can run, from its cores and the free memory of the GPUs that it may use.

    >>> jobs_at_once(16, [139 * 2**30]), jobs_at_once(16, [10 * 2**30]), jobs_at_once(4, []), jobs_at_once(1, [])
    (8, 2, 2, 1)
    """
    by_cores = max(1, cores // CORES)
    return min(by_cores, len(gpu_slots(gpus))) if gpus else by_cores


def gpu_slots(gpus: Sequence[int]) -> list[int]:
    """The GPU of each job, by number: in turn, while its free memory has room for one more.

    Where none has room, each gets one job to try.

    >>> gpu_slots([9 * 2**30, 2**30, 13 * 2**30]), gpu_slots([2**30, 2**30])
    ([0, 2, 0, 2, 2], [0, 1])
    """
    room = [free // _GPU_MEMORY for free in gpus]
    slots = [gpu for turn in range(max(room, default=0)) for gpu, jobs in enumerate(room) if turn < jobs]
    return slots or list(range(len(gpus)))
