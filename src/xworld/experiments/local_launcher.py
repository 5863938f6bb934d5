"""Jobs on this machine: one process each, so that a crash affects one job alone.

The process of a job is `python -m xworld.experiments.local_launcher <folder> <device>`. It saves a checkpoint and ends
on SIGINT, on SIGTERM, and when the process that started it is gone.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from xworld.experiments.launcher import CORES, JOB_LOG, Ending, add_to_log
from xworld.training.device import choose_device
from xworld.world.checks import SettingsError
from xworld.world.kernel import available_cores

_THREADS, _GPUS = "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES"
_GPU_MEMORY = 4 * 2**30
"""Bytes of GPU memory that a job may need."""


class LocalLauncher:
    """A fixed number of slots, each with additions to the environment of its process; a job takes a free one."""

    def __init__(self, device: str, slots: Sequence[Mapping[str, str]]) -> None:
        self._device, self._slots = device, slots
        self._running: dict[int, tuple[Path, subprocess.Popen[bytes]]] = {}  # by slot

    @classmethod
    def on_this_machine(cls, device: str = "auto", at_once: int | None = None) -> "LocalLauncher":
        """Run `at_once` jobs at the same time, by default as many as this machine can; several GPUs are used in turn.

        Each job gets an equal share of the cores, unless OMP_NUM_THREADS is set.
        """
        if at_once is not None and at_once < 1:
            raise SettingsError(f"--at-once {at_once}: expected 1 or more")
        gpus = free_gpu_memory() if choose_device(device).type == "cuda" else []
        cores = available_cores()
        places = gpu_slots(gpus)
        by_cores = max(1, cores // CORES)
        count = at_once or min(by_cores, len(places) or by_cores)
        threads = {} if _THREADS in os.environ else {_THREADS: str(max(1, cores // count))}
        if len(gpus) < 2:
            return cls(device, [threads] * count)
        visible = os.environ[_GPUS].split(",") if os.environ.get(_GPUS) else [str(gpu) for gpu in range(len(gpus))]
        return cls(device, [{**threads, _GPUS: visible[places[slot % len(places)]]} for slot in range(count)])

    @property
    def has_room(self) -> bool:
        """Whether one more job can be started."""
        return len(self._running) < len(self._slots)

    def start(self, path: Path) -> None:
        """Start a job in its own process, which ctrl-C here does not interrupt before it has saved."""
        slot = min(set(range(len(self._slots))) - self._running.keys())
        command = [sys.executable, "-m", "xworld.experiments.local_launcher", str(path), self._device]
        env, pipe = {**os.environ, **self._slots[slot]}, subprocess.PIPE
        with (path / JOB_LOG).open("ab") as log:
            process = subprocess.Popen(command, env=env, stdin=pipe, stdout=log, stderr=log, start_new_session=True)
        self._running[slot] = path, process

    def ended(self) -> Iterator[tuple[Path, Ending]]:
        """The jobs that have ended since the last call."""
        for slot, (path, process) in list(self._running.items()):
            if (status := process.poll()) is None:
                continue
            del self._running[slot]
            _hang_up(process)
            ending = Ending.FAILED
            try:
                ending = Ending(status)
            except ValueError:  # it could not write the reason itself
                how = f"exit status {status}" if status >= 0 else f"signal {-status}"
                add_to_log(path, f"the process of the job ended with {how}")
            yield path, ending

    def stop(self) -> None:
        """Ask all jobs to save and end."""
        for _, process in self._running.values():
            _hang_up(process)

    def close(self) -> None:
        """End whatever is still running at once."""
        for _, process in self._running.values():
            process.kill()
            process.wait()
            _hang_up(process)


def _hang_up(process: "subprocess.Popen[bytes]") -> None:
    """Close the pipe that tells a process that it is still wanted."""
    assert process.stdin is not None
    process.stdin.close()


def free_gpu_memory() -> list[int]:
    """Free bytes of every GPU. Asked in another process, because asking takes half a gigabyte until that ends."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(_free_gpu_memory).result()


def _free_gpu_memory() -> list[int]:
    import torch

    return [torch.cuda.mem_get_info(number)[0] for number in range(torch.cuda.device_count())]


def gpu_slots(gpus: Sequence[int]) -> list[int]:
    """The GPU of each job, by number: in turn, while its free memory has room for one more; else one job on each.

    >>> gpu_slots([9 * 2**30, 2**30, 13 * 2**30]), gpu_slots([2**30, 2**30])
    ([0, 2, 0, 2, 2], [0, 1])
    """
    room = [free // _GPU_MEMORY for free in gpus]
    slots = [gpu for turn in range(max(room, default=0)) for gpu, jobs in enumerate(room) if turn < jobs]
    return slots or list(range(len(gpus)))


def _stop_when_orphaned() -> None:
    """Wait for the end of the standard input, whose other end is held by the process that started this one."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> int:
    """Run the job that the arguments name; returns the exit status."""
    from xworld.experiments.job import attempt_job
    from xworld.training.run import stop_on_signals

    folder, device = sys.argv[1:]
    with stop_on_signals() as should_stop:
        threading.Thread(target=_stop_when_orphaned, daemon=True).start()
        return attempt_job(Path(folder), device, should_stop).value


if __name__ == "__main__":
    sys.exit(main())
