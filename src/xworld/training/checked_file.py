"""Checked files: tensors and JSON in one safetensors file that is read only if it is intact.

Reading one runs no code. The header holds one JSON object: the name and version of the format, the size of the tensors,
a SHA-256 of the whole file, and the content that is not tensors.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from xworld.training.atomic_file import write_atomic

VERSION = 1
"""Files of a later version are refused."""

_HEADER_KEY = "xworld"
"""A single key: safetensors writes several in random order, and equal checkpoints would differ."""
_HEADER_TYPES = {"format": str, "version": int, "size": int, "sha256": str, "content": dict}
_NO_DIGEST = "0" * 64
"""Takes the place of the SHA-256 while it is computed."""
_LENGTH_BYTES = 8
"""A safetensors file begins with the length of its header, in this many bytes."""
_LONGEST_HEADER = 100_000_000
"""The limit that safetensors sets."""


class CheckpointError(ValueError):
    """A checkpoint that cannot be read or written; the message names the file and says why."""


def save_checked(path: str | Path, kind: str, tensors: Mapping[str, Tensor], content: Mapping[str, object]) -> None:
    """Write tensors and content as a file of this format. A file of another format is never replaced."""
    path = Path(os.path.realpath(path))  # a link stays a link, and its target is replaced
    _refuse_to_overwrite(path, kind)
    own = {name: _own_copy(path, name, tensor) for name, tensor in tensors.items()}
    header = {
        "format": kind,
        "version": VERSION,
        "size": sum(tensor.nbytes for tensor in own.values()),
        "sha256": _NO_DIGEST,
        "content": _as_json(path, content),
    }
    data = bytearray(safetensors.torch.save(own, {_HEADER_KEY: json.dumps(header)}))
    place = data.index(_NO_DIGEST.encode())
    data[place : place + len(_NO_DIGEST)] = _digest(data, place).encode()
    _write(path, data)


def _own_copy(path: Path, name: str, tensor: Tensor) -> Tensor:
    """A copy that safetensors can store: dense, contiguous, sharing memory with no other tensor."""
    if tensor.layout is not torch.strided or tensor.is_meta or tensor.dtype is torch.complex128:
        raise CheckpointError(f"{path} was not written: tensor {name!r} has a type that safetensors cannot store")
    return tensor.detach().cpu().clone(memory_format=torch.contiguous_format)


def load_checked(path: str | Path, kind: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the content of an intact file of this format; anything else is refused."""
    data = _read(path)
    header = _read_header(path, data)
    if header["format"] != kind:
        raise CheckpointError(f"{path} is a file of another format: {header['format']!r}, expected {kind!r}")
    if header["version"] > VERSION:
        raise CheckpointError(
            f"{path} has version {header['version']} of its format, and this xworld reads up to {VERSION}: "
            f"use a newer xworld"
        )
    _check_digest(path, data, header)
    try:
        return safetensors.torch.load(data), header["content"]
    except (SafetensorError, ValueError, KeyError, RuntimeError) as error:
        raise CheckpointError(f"{path} holds tensors that cannot be read: {error}") from error


def _read(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: there is no such file") from error
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}") from error


def _read_header(path: str | Path, data: bytes) -> dict[str, Any]:
    """The JSON object in the header, its fields of the right types; `data` may end after the header."""
    text = _header_text(path, data)
    try:
        notes = json.loads(text).get("__metadata__") or {}
        header = json.loads(notes[_HEADER_KEY]) if _HEADER_KEY in notes else None
        sound = header is None or all(type(header[name]) is expected for name, expected in _HEADER_TYPES.items())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: its header cannot be read ({error})") from error
    if header is None:
        raise CheckpointError(f"{path} is a safetensors file, but not one of xworld: it does not name a format")
    if not sound:
        raise CheckpointError(f"{path} is damaged: its header has a field of the wrong type")
    return dict(header)


def _header_text(path: str | Path, data: bytes) -> bytes:
    length, start = int.from_bytes(data[:_LENGTH_BYTES], "little"), data[_LENGTH_BYTES:]
    if not data:
        raise CheckpointError(f"{path} is empty")
    if start and (length > _LONGEST_HEADER or not start.startswith(b"{")):
        raise CheckpointError(f"{path} is not a safetensors file, and no checkpoint of xworld")
    if not start or len(start) < length:
        raise CheckpointError(f"{path} is cut short, or no checkpoint: its {len(data)} bytes end within the header")
    return start[:length]


def _check_digest(path: str | Path, data: bytes, header: Mapping[str, Any]) -> None:
    whole = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little") + header["size"]
    if len(data) < whole:
        raise CheckpointError(f"{path} is cut short: it has {len(data)} of {whole} bytes")
    place = data.find(header["sha256"].encode(errors="replace"))
    if place < 0 or _digest(data, place) != header["sha256"]:
        raise CheckpointError(f"{path} is damaged: its content does not match its SHA-256")


def _digest(data: bytes | bytearray, place: int) -> str:
    """The SHA-256 of a file, without the digest at `place`."""
    view = memoryview(data)
    digest = hashlib.sha256(view[:place])
    digest.update(_NO_DIGEST.encode())
    digest.update(view[place + len(_NO_DIGEST) :])
    return digest.hexdigest()


def _as_json(path: Path, content: Mapping[str, object]) -> object:
    """The content as it will be read, with sorted keys: equal contents give equal bytes."""
    try:
        return json.loads(json.dumps(content, sort_keys=True, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} was not written: its content is not JSON ({error})") from error


def _refuse_to_overwrite(path: Path, kind: str) -> None:
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            start = file.read(_LENGTH_BYTES)
            start += file.read(min(int.from_bytes(start, "little"), _LONGEST_HEADER))
        what = _read_header(path, start)["format"]
    except (OSError, CheckpointError):
        what = "something else"
    if what != kind:
        raise CheckpointError(
            f"{path} exists and is {what!r}, not {kind!r}; it was not replaced: "
            f"move it away, or save under another name"
        )


def _write(path: Path, data: bytearray) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data)
    except OSError as error:
        raise CheckpointError(
            f"{path} could not be written: {error.strerror}. Is the disk full, or does another run save there too?"
        ) from error
