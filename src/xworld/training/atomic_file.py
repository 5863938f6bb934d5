"""Atomic writes: a file is complete or not there, even if the process is killed."""

import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PARTIAL = ".partial"


def write_atomic(path: Path, data: bytes | bytearray) -> None:
    """Write or replace a file: at every moment either the old or the new one is there, complete."""
    with _written_beside(path, data) as temporary:
        os.replace(temporary, path)
    _sync_folder(path.parent)


def create_atomic(path: Path, data: bytes) -> None:
    """Write a new file, complete from the start; `FileExistsError` where there is one."""
    with _written_beside(path, data) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise
        except OSError:  # no links, as on Google Drive; this is as exclusive, but not atomic
            with path.open("xb") as file:
                file.write(data)


def is_remnant(name: str, of: str) -> bool:
    """Whether this is the name of a temporary file that a killed process left behind while writing the file `of`.

    >>> is_remnant(".a.json.0123456789abcdef0123456789abcdef.partial", of="a.json")
    True
    """
    return re.fullmatch(rf"\.{re.escape(of)}\.[0-9a-f]{{32}}{re.escape(_PARTIAL)}", name) is not None


@contextmanager
def _written_beside(path: Path, data: bytes | bytearray) -> Iterator[Path]:
    """A temporary file with this content in the same folder; it is removed afterwards."""
    _remove_remnants(path)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}{_PARTIAL}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _remove_remnants(path: Path) -> None:
    for file in path.parent.iterdir():
        if is_remnant(file.name, of=path.name):
            with suppress(OSError):
                file.unlink()


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where folders can be opened for that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
