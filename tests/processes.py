"""Processes that tests start, watch and kill; on Linux."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from xworld.experiments.launcher import Ending, Launcher


def wait_until(
    condition: Callable[[], bool], process: "subprocess.Popen[str] | None" = None, seconds: float = 120
) -> None:
    """Wait for something to become true, as long as a process runs that is to bring it about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        assert process is None or process.poll() is None, process.communicate()[0]
        time.sleep(0.01)


def wait_for_the_end(launcher: Launcher, count: int) -> dict[Path, Ending]:
    """How so many jobs have ended."""
    ended = dict[Path, Ending]()

    def have_ended() -> bool:
        ended.update(launcher.ended())
        return len(ended) == count

    wait_until(have_ended)
    return ended


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
