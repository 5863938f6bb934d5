"""The folder of a run, such as `runs/default-Standard-0`: its settings, its files, and its lock."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

from xworld.training.atomic_file import create_atomic, is_remnant

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

_SETTINGS, _LOCK = "settings.json", ".lock"


class RunFolderError(ValueError):
    """A folder in which no run can start or resume; the message says why and what to do."""


class FolderInUse(RunFolderError):
    """Another process is training in the folder."""


class RunFolder:
    """The files of one run: `create` starts a run, `open` finds one to resume.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as runs:
    ...     folder = RunFolder.create(f"{runs}/default-Standard-0", {"preset": "default", "seed": 0})
    ...     with folder.lock():
    ...         RunFolder.open(folder.path).settings
    {'preset': 'default', 'seed': 0}
    """

    def __init__(self, path: Path, settings: dict[str, JSON]) -> None:
        self.path, self.settings = path, settings
        self.state_path = path / "state.safetensors"
        """The training state, from which the run resumes."""
        self.weights_path = path / "agent.safetensors"

    @classmethod
    def create(cls, path: str | Path, settings: Mapping[str, JSON]) -> "RunFolder":
        """Start a run. Of several processes that start the same one, one succeeds."""
        path = Path(path)
        data = _as_json(path, settings)
        _make_folder(path)
        if any(not _is_remnant(entry.name) for entry in path.iterdir()):
            raise _taken(path)
        try:
            create_atomic(path / _SETTINGS, data)
        except FileExistsError as error:
            raise _taken(path) from error
        return cls(path, json.loads(data))

    @classmethod
    def open(cls, path: str | Path) -> "RunFolder":
        """The folder of a run that was started earlier."""
        path = Path(path)
        return cls(path, _read_settings(path))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes from training here. The lock is released with the process, however that ends."""
        from filelock import FileLock, Timeout  # commands that do not train do without it

        with ExitStack() as stack:
            with (self.path / _LOCK).open("a"):  # a folder that is gone or read-only is an error
                pass
            try:
                stack.enter_context(FileLock(self.path / _LOCK, blocking=False, fallback_to_soft=False))
            except Timeout as error:
                raise FolderInUse(
                    f"another process is training in {self.path}: wait until it ends, or name another --folder"
                ) from error
            except OSError:  # a file system without locks: better to train without one than not at all
                pass
            yield


def _as_json(path: Path, settings: Mapping[str, JSON]) -> bytes:
    try:
        return (json.dumps(dict(settings), indent=2, allow_nan=False) + "\n").encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise RunFolderError(f"{path} was not created: its settings are not JSON ({error})") from error


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise RunFolderError(f"{path} cannot be a folder: a file is in the way; name another --folder") from error
    except OSError as error:
        raise RunFolderError(f"{path} cannot be created: {error.strerror}; name another --folder") from error


def _is_remnant(name: str) -> bool:
    """Whether a file may be left by a process that was killed before its run started."""
    return name == _LOCK or is_remnant(name, of=_SETTINGS)


def _taken(path: Path) -> RunFolderError:
    if (path / _SETTINGS).exists():
        return RunFolderError(f"{path} already holds a run: resume it (--resume), or name another --folder")
    return RunFolderError(f"{path} is not empty, and holds no run; name another --folder")


def _read_settings(path: Path) -> dict[str, JSON]:
    file = path / _SETTINGS
    try:
        settings = json.loads(file.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RunFolderError(
            f"{path} holds no run to resume: there is no {file}; to start one there, leave out --resume"
        ) from error
    except OSError as error:
        raise RunFolderError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RunFolderError(f"{file} is damaged: it is not JSON ({error}); name another --folder") from error
    if not isinstance(settings, dict):
        raise RunFolderError(f"{file} is damaged: expected a JSON object; name another --folder")
    return settings
