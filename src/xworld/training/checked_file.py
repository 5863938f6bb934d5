"""A checked file: tensors and JSON in a safetensors file that is read only if it is intact. Reading one runs no code.

The header holds one JSON object: the name and version of the format, the size of the tensors, a SHA-256 of the whole
file, and the content that is not tensors. The header is checked before anything else is read.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from xworld.training.atomic_file import write_atomic

VERSION = 1
"""Files of other versions are refused."""

_HEADER_KEY = "xworld"
"""A single key: safetensors writes several in random order, and equal files would differ."""
_HEADER_TYPES = {"format": str, "version": int, "size": int, "sha256": str, "content": dict}
_NO_DIGEST = "0" * 64
"""Takes the place of the SHA-256 while it is computed."""
_LENGTH_BYTES = 8
"""A safetensors file begins with the length of its header, in this many bytes."""
_LONGEST_HEADER = 10_000_000


class CheckpointError(ValueError):
    """A checkpoint that cannot be read or written; the message names the file and says why."""


def load_checked(path: str | Path, kind: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the content of an intact file of this format; anything else is refused."""
    with _reading(path) as file:
        text, header = _read_header(path, file)
        if header["format"] != kind:
            raise CheckpointError(f"{path} is a file of another format: {header['format']!r}, expected {kind!r}")
        if header["version"] != VERSION:
            raise CheckpointError(
                f"{path} has version {header['version']} of its format, and this xworld reads version {VERSION}: "
                f"use the xworld that wrote it"
            )
        size, whole = os.fstat(file.fileno()).st_size, len(text) + header["size"]
        if size < whole:
            raise CheckpointError(f"{path} is cut short: it has {size} of {whole} bytes")
        if size > whole:
            raise CheckpointError(f"{path} is damaged: it has {size} bytes, {size - whole} too many")
        data = text + file.read()
    if _digest(text, header["sha256"], memoryview(data)[len(text) :]) != header["sha256"]:
        raise CheckpointError(f"{path} is damaged: its content does not match its SHA-256")
    try:
        return safetensors.torch.load(data), header["content"]
    except (SafetensorError, ValueError, KeyError, RuntimeError) as error:
        raise CheckpointError(f"{path} holds tensors that cannot be read: {error}") from error


def save_checked(path: str | Path, kind: str, tensors: Mapping[str, Tensor], content: Mapping[str, object]) -> None:
    """Write tensors and content as a file of this format. A file of another format is never replaced."""
    path = Path(os.path.realpath(path))  # a link stays a link, and its target is replaced
    _refuse_to_overwrite(path, kind)
    own = {name: _own_copy(path, name, tensor) for name, tensor in tensors.items()}
    size = sum(tensor.nbytes for tensor in own.values())
    content = _as_json(path, content)
    header = {"format": kind, "version": VERSION, "size": size, "sha256": _NO_DIGEST, "content": content}
    data = safetensors.torch.save(own, {_HEADER_KEY: json.dumps(header)})
    text, body = data[: len(data) - size], memoryview(data)[len(data) - size :]
    if len(text) > _LONGEST_HEADER:
        raise CheckpointError(f"{path} was not written: the {len(text)} bytes of its header are too many")
    text = text.replace(_NO_DIGEST.encode(), _digest(text, _NO_DIGEST, body).encode(), 1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, text, body)
    except OSError as error:
        raise CheckpointError(
            f"{path} could not be written: {error.strerror}. Is the disk full, or does another run save there too?"
        ) from error


@contextmanager
def _reading(path: str | Path) -> Iterator[BinaryIO]:
    """An open file; a pipe or a device is refused, and not waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise CheckpointError(f"{path} is no checkpoint: it is not a plain file")
            yield file
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}") from error


def _read_header(path: str | Path, file: BinaryIO) -> tuple[bytes, dict[str, Any]]:
    """The beginning of a file up to its tensors, and the JSON object in it, its fields of the right types."""
    text = _read_header_text(path, file)
    try:
        notes = json.loads(text[_LENGTH_BYTES:]).get("__metadata__") or {}
        header = json.loads(notes[_HEADER_KEY]) if _HEADER_KEY in notes else None
        sound = header is None or all(type(header[name]) is expected for name, expected in _HEADER_TYPES.items())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: its header cannot be read ({error})") from error
    if header is None:
        raise CheckpointError(f"{path} is a safetensors file, but not one of xworld: it does not name a format")
    if not sound:
        raise CheckpointError(f"{path} is damaged: its header has a field of the wrong type")
    return text, dict(header)


def _read_header_text(path: str | Path, file: BinaryIO) -> bytes:
    start = file.read(_LENGTH_BYTES + 1)
    length = int.from_bytes(start[:_LENGTH_BYTES], "little")
    if not start:
        raise CheckpointError(f"{path} is empty")
    if len(start) > _LENGTH_BYTES and (length > _LONGEST_HEADER or not start.endswith(b"{")):
        raise CheckpointError(f"{path} is not a safetensors file, and no checkpoint of xworld")
    text = start + file.read(max(0, length - 1)) if len(start) > _LENGTH_BYTES else start
    if len(text) < _LENGTH_BYTES + max(1, length):
        raise CheckpointError(f"{path} is cut short, or no checkpoint: its {len(text)} bytes end within the header")
    return text


def _refuse_to_overwrite(path: Path, kind: str) -> None:
    if not path.exists():
        return
    try:
        with _reading(path) as file:
            what = _read_header(path, file)[1]["format"]
    except CheckpointError:
        what = "something else"
    if what != kind:
        raise CheckpointError(
            f"{path} exists and is {what!r}, not {kind!r}; it was not replaced: "
            f"move it away, or save under another name"
        )


def _digest(text: bytes, written: str, body: memoryview) -> str:
    """The SHA-256 of a file, without the digest that is written in its header."""
    digest = hashlib.sha256(text.replace(written.encode(errors="replace"), _NO_DIGEST.encode(), 1))
    digest.update(body)
    return digest.hexdigest()


def _own_copy(path: Path, name: str, tensor: Tensor) -> Tensor:
    """A copy that safetensors can store: dense, contiguous, sharing memory with no other tensor."""
    if tensor.layout is not torch.strided or tensor.is_meta or tensor.dtype is torch.complex128:
        raise CheckpointError(f"{path} was not written: tensor {name!r} has a type that safetensors cannot store")
    return tensor.detach().cpu().clone(memory_format=torch.contiguous_format)


def _as_json(path: Path, content: Mapping[str, object]) -> Mapping[str, object]:
    """The content as it will be read, with sorted keys: equal contents give equal bytes."""
    try:
        checked: Mapping[str, object] = json.loads(json.dumps(content, sort_keys=True, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} was not written: its content is not JSON ({error})") from error
    return checked
