"""Jobs on this machine: a process each, so that one which crashes takes nothing with it."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from xworld.experiments.hardware import free_gpu_memory, jobs_at_once, seats
from xworld.experiments.launcher import JOB_LOG, Ending, add_to_log
from xworld.teacher.settings import SettingsError
from xworld.training.device import choose_device

_THREADS = "OMP_NUM_THREADS"
_GPUS = "CUDA_VISIBLE_DEVICES"


@dataclass
class _Process:
    path: Path
    slot: int
    process: "subprocess.Popen[bytes]"


class LocalLauncher:
    """A number of slots, each with what the environment of its process adds; the jobs take what is free."""

    def __init__(self, device: str, slots: Sequence[Mapping[str, str]]) -> None:
        self._device, self._slots = device, slots
        self._processes: list[_Process] = []

    @classmethod
    def on_this_machine(cls, device: str = "auto", at_once: int | None = None) -> "LocalLauncher":
        """As many jobs at once as are asked for, or as this machine bears; several GPUs are used in turn.

        Each has its share of the cores, unless the user sets the number of threads.
        """
        if at_once is not None and at_once < 1:
            raise SettingsError(f"--at-once {at_once}: expected 1 or more")
        gpus = free_gpu_memory() if choose_device(device).type == "cuda" else []
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        count = at_once or jobs_at_once(cores, gpus)
        threads = {} if _THREADS in os.environ else {_THREADS: str(max(1, cores // count))}
        return cls(device, [{**threads, **_gpu_of(slot, gpus)} for slot in range(count)])

    @property
    def at_once(self) -> int:
        """How many jobs run at the same time."""
        return len(self._slots)

    @property
    def has_room(self) -> bool:
        """Whether one more job can be started."""
        return len(self._processes) < len(self._slots)

    def start(self, path: Path) -> None:
        """Begin a job in a process of its own, which outlives ctrl-C here until it has saved."""
        slot = min(set(range(len(self._slots))) - {process.slot for process in self._processes})
        command = [sys.executable, "-m", "xworld.experiments.worker", str(path), self._device]
        with (path / JOB_LOG).open("ab") as log:
            process = subprocess.Popen(
                command,
                env={**os.environ, **self._slots[slot]},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._processes.append(_Process(path, slot, process))

    def ended(self) -> Iterator[tuple[Path, Ending]]:
        """The jobs that have ended since the last call."""
        for job in [job for job in self._processes if job.process.poll() is not None]:
            self._processes.remove(job)
            _hang_up(job.process)
            status = job.process.returncode
            if status not in {ending.value for ending in Ending}:  # it could not say why itself
                add_to_log(job.path, f"the process of the job ended with {_words(status)}")
            yield job.path, Ending.of(status)

    def stop(self) -> None:
        """Tell all jobs to save and to end."""
        for job in self._processes:
            _hang_up(job.process)

    def close(self) -> None:
        """End at once whatever is still running."""
        for job in self._processes:
            job.process.kill()
            job.process.wait()
            _hang_up(job.process)


def _gpu_of(slot: int, gpus: Sequence[int]) -> dict[str, str]:
    """What a slot adds to the environment where there are several GPUs, given their free memory: which one is its."""
    if len(gpus) < 2:
        return {}
    visible = os.environ[_GPUS].split(",") if os.environ.get(_GPUS) else [str(gpu) for gpu in range(len(gpus))]
    places = seats(gpus)
    return {_GPUS: visible[places[slot % len(places)]]}


def _hang_up(process: "subprocess.Popen[bytes]") -> None:
    """Close the pipe that tells a process that it is still wanted."""
    if process.stdin is not None:
        process.stdin.close()


def _words(status: int) -> str:
    """An exit status, or the signal behind it, in words.

    >>> _words(2), _words(-9)
    ('exit status 2', 'signal 9')
    """
    return f"exit status {status}" if status >= 0 else f"signal {-status}"
