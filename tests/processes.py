"""Processes that tests start, watch and kill; on Linux."""

import csv
import os
import signal
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import numpy as np
import torch

from xworld.cli.main import main
from xworld.experiments.launcher import Ending, Launcher
from xworld.training.checkpoint import load_state


class ForkedCommand:
    """A command in a copy of this process, which has loaded everything already; like `subprocess.Popen`."""

    def __init__(self, *arguments: str) -> None:
        self._output = os.memfd_create("output")
        self.returncode: int | None = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads that the copy lacks; none of them is ours
            self.pid = os.fork()
        if self.pid == 0:
            self._run(arguments)

    def _run(self, arguments: tuple[str, ...]) -> NoReturn:
        code = 1
        try:
            for stream in (1, 2):
                os.dup2(self._output, stream)
            sys.stdout, sys.stderr = (os.fdopen(stream, "w", 1, closefd=False) for stream in (1, 2))
            torch.set_num_threads(1)  # sums come out the same in every process
            code = main(list(arguments))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)

    def poll(self) -> int | None:
        """How it ended; None while it runs."""
        return self._wait(os.WNOHANG)

    def communicate(self) -> tuple[str, None]:
        """Wait for its end; what it printed."""
        self._wait(0)
        return os.pread(self._output, os.fstat(self._output).st_size, 0).decode(), None

    def send_signal(self, number: int) -> None:
        """Send a signal while it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """As `kill -9`."""
        self.send_signal(signal.SIGKILL)

    def _wait(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode


def wait_until(
    condition: Callable[[], bool],
    process: "ForkedCommand | subprocess.Popen[str] | None" = None,
    seconds: float = 600,
    pause: float = 0.01,
) -> None:
    """Wait until a condition holds, as long as the process runs that is to bring it about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        assert process is None or process.poll() is None, process.communicate()[0]
        time.sleep(pause)


def wait_for_the_end(launcher: Launcher, count: int) -> dict[Path, Ending]:
    """How this many jobs have ended."""
    ended = dict[Path, Ending]()

    def have_ended() -> bool:
        ended.update(launcher.ended())
        return len(ended) == count

    wait_until(have_ended)
    return ended


def logged_iterations(folder: Path) -> list[int]:
    """The iterations in the log of a run; none where there is no log yet."""
    if not (folder / "progress.csv").exists():
        return []
    with (folder / "progress.csv").open() as file:
        return [int(row["iteration"]) for row in csv.DictReader(file) if row["global_step"]]


def assert_same_state(one: Path, other: Path) -> None:
    """The same weights, optimizer, environments and replay buffer, bit for bit; only times may differ."""
    (tensors, arrays, record), (others, other_arrays, other_record) = (
        load_state(folder / "state.safetensors") for folder in (one, other)
    )
    assert tensors.keys() == others.keys()
    assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())
    assert arrays.keys() == other_arrays.keys()
    assert all(np.array_equal(array, other_arrays[name]) for name, array in arrays.items())
    assert record["iteration"] == other_record["iteration"]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def called(name: str) -> list[int]:
    """The processes whose command line begins with a name."""
    return [
        int(folder.name)
        for folder in Path("/proc").iterdir()
        if folder.name.isdecimal() and _command_line(folder).startswith(name.encode())
    ]


def _command_line(folder: Path) -> bytes:
    try:
        return (folder / "cmdline").read_bytes()
    except OSError:  # it has just ended
        return b""
