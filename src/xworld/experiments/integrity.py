"""Damaged files of a job: found, reported, and set aside on request. None is ever deleted."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

from xworld.experiments.result import RESULT, Result, ResultError
from xworld.training.logger import EVALUATIONS_FILE, PROGRESS_FILE
from xworld.training.run_folder import RunFolder

ASIDE = "set-aside"
"""Damaged files are moved to `set-aside-1` in the folder of their job, then to `set-aside-2`, and so on."""
_LOGS = PROGRESS_FILE, EVALUATIONS_FILE, "events.out.tfevents.*"
"""The logs of training, which a job that starts over would drop."""


class IntegrityError(ValueError):
    """A job that cannot resume because of damaged files; the message names them and says what to do."""


def find_damaged(folder: RunFolder) -> dict[Path, str]:
    """Which of state, weights and result of a job are there but cannot be read, and why."""
    # torch takes a second to load
    from xworld.training.checked_file import CheckpointError, load_checked
    from xworld.training.checkpoint import STATE_FORMAT, WEIGHTS_FORMAT

    readers: dict[Path, Callable[[Path], object]] = {
        folder.state_path: lambda path: load_checked(path, STATE_FORMAT),
        folder.weights_path: lambda path: load_checked(path, WEIGHTS_FORMAT),
        folder.path / RESULT: lambda path: Result.read(path.parent),
    }
    damaged = {}
    for path, read in readers.items():
        try:
            if path.exists():
                read(path)
        except (CheckpointError, ResultError) as error:
            damaged[path] = str(error)
    return damaged


def refuse_damaged(folder: RunFolder) -> None:
    """An error that names the damaged files of a folder, if there are any."""
    if damaged := find_damaged(folder):
        raise IntegrityError(
            f"{'; '.join(damaged.values())}; move it away, or let `xworld reproduce --redo-damaged` set it aside, "
            f"and what is lost is redone"
        )


def set_aside_damaged(path: Path) -> list[str]:
    """Move the damaged files of a job aside; returns a line for each.

    Weights will then be written again from the training state, and a result by testing again. Without its training
    state a job starts over: everything else of its training is set aside, too.
    """
    folder = RunFolder(path, {})
    with folder.lock():
        damaged = find_damaged(folder)
        if not damaged:
            return []
        aside = next(new for number in count(1) if not (new := path / f"{ASIDE}-{number}").exists())
        aside.mkdir()
        starts_over, files = folder.state_path in damaged, set(damaged)
        if starts_over:
            files |= {file for pattern in (folder.weights_path.name, *_LOGS) for file in path.glob(pattern)}
        for file in files:
            file.rename(aside / file.name)
    then = ", and the job starts over" if starts_over else ""
    return [f"{why}; moved to {aside}{then}" for why in damaged.values()]
