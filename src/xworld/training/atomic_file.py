"""Atomic writes: a file is complete or not there, even if the process is killed."""

import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Errors of the system in this block, such as a full disk, name the file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_atomic(path: Path, *parts: bytes | memoryview) -> None:
    """Write or replace a file: at every moment either the old or the new one is there, complete."""
    with naming(path), _written_beside(path, *parts) as temporary:
        os.replace(temporary, path)
    if os.name == "posix":  # the new name survives a power cut, too
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def create_atomic(path: Path, data: bytes) -> None:
    """Write a new file, complete from the start; `FileExistsError` where there is one."""
    with naming(path), _written_beside(path, data) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise
        except OSError:  # no links, as on Google Drive; this is as exclusive, but not atomic
            with path.open("xb") as file:
                file.write(data)


def is_remnant(name: str, of: str) -> bool:
    """Whether this is the name of a temporary file that a killed process left behind while writing the file `of`."""
    return re.fullmatch(rf"\.{re.escape(of)}\.[0-9a-f]{{32}}\.partial", name) is not None


@contextmanager
def _written_beside(path: Path, *parts: bytes | memoryview) -> Iterator[Path]:
    """A temporary file with these contents in the same folder; it is removed afterwards."""
    for other in path.parent.iterdir():
        if is_remnant(other.name, of=path.name):
            with suppress(OSError):
                other.unlink()
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        with temporary.open("xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
