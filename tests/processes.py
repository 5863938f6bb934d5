"""Processes that tests start, watch and kill; on Linux."""

import csv
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from xworld.experiments.launcher import Ending, Launcher
from xworld.training.checkpoint import load_state

ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}
"""Sums come out the same in every process."""


def start_xworld(*arguments: str) -> "subprocess.Popen[str]":
    """A command in a process of its own."""
    command = [sys.executable, "-m", "xworld.cli.main", *arguments]
    return subprocess.Popen(command, env=ONE_THREAD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_until(
    condition: Callable[[], bool], process: "subprocess.Popen[str] | None" = None, seconds: float = 600
) -> None:
    """Wait until a condition holds, as long as the process runs that is to bring it about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        assert process is None or process.poll() is None, process.communicate()[0]
        time.sleep(0.01)


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
