"""Damaged files of a job: found, reported, and set aside on request. None is ever deleted."""

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
    from xworld.training.checkpoint import STATE_FORMAT, WEIGHTS_FORMAT, CheckpointError, load_checked

    damaged = {}
    for file, kind in ((folder.state_path, STATE_FORMAT), (folder.weights_path, WEIGHTS_FORMAT)):
        try:
            if file.exists():
                load_checked(file, kind)
        except CheckpointError as error:
            damaged[file] = str(error)
    try:
        if (folder.path / RESULT).exists():
            Result.read(folder.path)
    except ResultError as error:
        damaged[folder.path / RESULT] = str(error)
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
        starts_over = folder.state_path in damaged
        aside = _make_aside(path)
        for file in {*damaged, *(_training_files(folder) if starts_over else ())}:
            file.rename(aside / file.name)
    then = ", and the job starts over" if starts_over else ""
    return [f"{why}; moved to {aside}{then}" for why in damaged.values()]


def _training_files(folder: RunFolder) -> list[Path]:
    logs = [file for pattern in _LOGS for file in folder.path.glob(pattern)]
    return [file for file in (folder.state_path, folder.weights_path) if file.exists()] + logs


def _make_aside(path: Path) -> Path:
    """A new folder: what was set aside earlier stays."""
    aside = next(folder for number in count(1) if not (folder := path / f"{ASIDE}-{number}").exists())
    aside.mkdir()
    return aside
