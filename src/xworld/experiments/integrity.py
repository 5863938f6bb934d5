"""Files of a job that cannot be relied on: found, told, and on demand set aside. None is ever deleted."""

from itertools import count
from pathlib import Path

from xworld.experiments.result import RESULT, Result, ResultError
from xworld.training.logger import EVALUATIONS_FILE, PROGRESS_FILE
from xworld.training.run_folder import RunFolder

ASIDE = "set-aside"
"""Where damaged files go, in the folder of their job: `set-aside-1`, then `set-aside-2`, and so on."""
_LOGS = PROGRESS_FILE, EVALUATIONS_FILE, "events.out.tfevents.*"
"""What training logged. A job that begins anew would drop it."""


class IntegrityError(ValueError):
    """A job that cannot go on from what is in its folder; the message names the files and says what to do."""


def find_damaged(folder: RunFolder) -> dict[Path, str]:
    """The training state, the weights and the result of a job that are there but cannot be read; and why not."""
    from xworld.training.checked_file import CheckpointError, load_checked
    from xworld.training.checkpoint import STATE_FORMAT, WEIGHTS_FORMAT  # torch takes a second to load

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
    """An error where the job of a folder cannot go on because of damaged files: which, and what to do."""
    if damaged := find_damaged(folder):
        raise IntegrityError(
            f"{'; '.join(damaged.values())}; --redo-damaged sets that aside and does anew what is lost"
        )


def set_aside_damaged(path: Path) -> list[str]:
    """Put what is damaged in the folder of a job out of its way; a line for each such file.

    Weights are then written again from the training state, and a result is tested anew. Without its training state a
    job begins anew: all that is left of its training is set aside with it.
    """
    folder = RunFolder(path, {})
    with folder.lock():
        damaged = find_damaged(folder)
        if not damaged:
            return []
        begins_anew = folder.state_path in damaged
        aside = _make_aside(path)
        for file in {*damaged, *(_all_of_training(folder) if begins_anew else ())}:
            file.rename(aside / file.name)
    then = ", and the job begins anew" if begins_anew else ""
    return [f"{why}; it is in {aside} now{then}" for why in damaged.values()]


def _all_of_training(folder: RunFolder) -> list[Path]:
    logs = [file for pattern in _LOGS for file in folder.path.glob(pattern)]
    return [file for file in (folder.state_path, folder.weights_path) if file.exists()] + logs


def _make_aside(path: Path) -> Path:
    """A new folder: what was set aside earlier stays as it is."""
    aside = next(folder for number in count(1) if not (folder := path / f"{ASIDE}-{number}").exists())
    aside.mkdir()
    return aside
