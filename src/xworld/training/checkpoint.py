"""Checkpoints: an agent's weights, or a whole training state, in a safetensors file that is read only if it is intact.

Reading one runs no code. The header holds one JSON object: the name and version of the format, the size of the tensors,
a SHA-256 of the whole file, and the content that is not tensors.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from xworld.training.atomic_file import write_atomic

WEIGHTS_FORMAT = "xworld agent"
STATE_FORMAT = "xworld training state"
Value = TypeVar("Value")
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
_WEIGHT_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


class CheckpointError(ValueError):
    """A checkpoint that cannot be read or written; the message names the file and says why."""


def save_weights(
    path: str | Path,
    agent: nn.Module,
    provenance: Mapping[str, object],
    catalogue_classes: Sequence[str],
    vocabulary: Sequence[str],
    dtype: torch.dtype = torch.float16,
) -> None:
    """Write an agent's weights, its classes and words, and its provenance, which may be any JSON.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_weights(f"{folder}/agent.safetensors", nn.Linear(2, 1), {"seed": 0}, ["apple"], ["", "go", "apple"])
    ...     weights, provenance = load_weights(f"{folder}/agent.safetensors", ["apple"], ["", "go", "apple"])
    >>> weights["weight"].dtype, provenance
    (torch.float16, {'seed': 0})
    """
    if dtype not in _WEIGHT_TYPES:
        raise CheckpointError(f"{path}: weights cannot be {dtype}; they can be {', '.join(map(str, _WEIGHT_TYPES))}")
    full = agent.state_dict()
    _refuse_nonfinite(path, full, "was not written: training has diverged")
    weights = {name: tensor.to(dtype) if tensor.is_floating_point() else tensor for name, tensor in full.items()}
    _refuse_nonfinite(path, weights, f"was not written: the weights overflow {dtype}, save them in a wider dtype")
    content = {"classes": list(catalogue_classes), "words": list(vocabulary), "provenance": dict(provenance)}
    _save_checked(path, WEIGHTS_FORMAT, weights, content)


def load_weights(
    path: str | Path, catalogue_classes: Sequence[str], vocabulary: Sequence[str]
) -> tuple[dict[str, Tensor], dict[str, object]]:
    """The weights as stored, and their provenance; a file with other classes or words is refused."""
    weights, content = load_checked(path, WEIGHTS_FORMAT)
    provenance = content.get("provenance")
    if not isinstance(provenance, dict):
        raise CheckpointError(f"{path} has no provenance; it was not written by save_weights")
    _check_names(path, "classes", content.get("classes"), catalogue_classes)
    _check_names(path, "words", content.get("words"), vocabulary)
    _refuse_nonfinite(path, weights, "cannot be used: try an earlier checkpoint")
    return weights, provenance


def check_shapes(
    tensors: Mapping[str, Tensor], expected: Mapping[str, Tensor], path: str | Path = "the checkpoint"
) -> None:
    """Refuse tensors with other names or shapes than expected; the error calls their file `path`."""
    other = [name for name in expected if name in tensors and tensors[name].shape != expected[name].shape]
    faults = _differences("it lacks", expected, tensors) + _differences("it has unexpected", tensors, expected)
    if other:
        faults.append(
            _enumerate(f"{name} is {_size(tensors[name])}, expected {_size(expected[name])}" for name in other)
        )
    if faults:
        raise CheckpointError(f"{path} does not fit this agent: {'; '.join(faults)}")


def save_state(
    path: str | Path, tensors: Mapping[str, Tensor], arrays: Mapping[str, np.ndarray], record: Mapping[str, object]
) -> None:
    """Write a training state: tensors and arrays bit for bit, records field by field, and any JSON.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_state(f"{folder}/run.safetensors", {"bias": torch.ones(2)}, {"seeds": np.arange(3)}, {"iteration": 7})
    ...     load_state(f"{folder}/run.safetensors")
    ({'bias': tensor([1., 1.])}, {'seeds': array([0, 1, 2])}, {'iteration': 7})
    """
    stored = {f"tensor/{name}": tensor for name, tensor in tensors.items()}
    for name, array in split_records(arrays).items():
        try:
            stored[f"array/{name}"] = torch.from_numpy(array.copy())
        except TypeError as error:
            raise CheckpointError(f"{path}: array {name!r} of {array.dtype} cannot be stored: {error}") from error
    _save_checked(path, STATE_FORMAT, stored, record)


def load_state(path: str | Path) -> tuple[dict[str, Tensor], dict[str, np.ndarray], dict[str, Any]]:
    """The tensors, the arrays, with each field of a record as an array of its own, and the JSON of a training state."""
    stored, record = load_checked(path, STATE_FORMAT)
    arrays = {name: tensor.numpy() for name, tensor in strip_prefix(stored, "array/").items()}
    return strip_prefix(stored, "tensor/"), arrays, record


def strip_prefix(values: Mapping[str, Value], prefix: str) -> dict[str, Value]:
    """The values whose names begin with this prefix, by the rest of their names."""
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def split_records(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Each field of a record as an array of its own, such as `worlds/grid`, without padding; these are not copies."""
    plain: dict[str, np.ndarray] = {}
    for name, array in arrays.items():
        fields = array.dtype.names
        plain |= split_records({f"{name}/{field}": array[field] for field in fields}) if fields else {name: array}
    return plain


def check_arrays(given: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray]) -> None:
    """Refuse arrays with other names, shapes or types: nothing is broadcast, wrapped or rounded."""
    if given.keys() != expected.keys():
        raise CheckpointError(f"arrays named {', '.join(given) or 'nothing'}: expected {', '.join(expected)}")
    for name, array in given.items():
        right = expected[name]
        if (array.shape, array.dtype) != (right.shape, right.dtype):
            raise CheckpointError(
                f"{name} of {array.dtype} and shape {array.shape}: expected {right.dtype} and shape {right.shape}"
            )


def load_checked(path: str | Path, kind: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors and the content of an intact file of this format; anything else is refused."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}") from error
    header = _read_header(path, data)
    if header["format"] != kind:
        raise CheckpointError(f"{path} is a file of another format: {header['format']!r}, expected {kind!r}")
    if header["version"] > VERSION:
        raise CheckpointError(
            f"{path} has version {header['version']} of its format, and this xworld reads up to {VERSION}: "
            f"use a newer xworld"
        )
    whole = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little") + header["size"]
    if len(data) < whole:
        raise CheckpointError(f"{path} is cut short: it has {len(data)} of {whole} bytes")
    if _digest(data, header["sha256"]) != header["sha256"]:
        raise CheckpointError(f"{path} is damaged: its content does not match its SHA-256")
    try:
        return safetensors.torch.load(data), header["content"]
    except (SafetensorError, ValueError, KeyError, RuntimeError) as error:
        raise CheckpointError(f"{path} holds tensors that cannot be read: {error}") from error


def _save_checked(path: str | Path, kind: str, tensors: Mapping[str, Tensor], content: Mapping[str, object]) -> None:
    """Write tensors and content as a file of this format. A file of another format is never replaced."""
    path = Path(os.path.realpath(path))  # a link stays a link, and its target is replaced
    _refuse_to_overwrite(path, kind)
    own = {name: _own_copy(path, name, tensor) for name, tensor in tensors.items()}
    size = sum(tensor.nbytes for tensor in own.values())
    header = {
        "format": kind,
        "version": VERSION,
        "size": size,
        "sha256": _NO_DIGEST,
        "content": _as_json(path, content),
    }
    data = safetensors.torch.save(own, {_HEADER_KEY: json.dumps(header)})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data.replace(_NO_DIGEST.encode(), _digest(data, _NO_DIGEST).encode(), 1))
    except OSError as error:
        raise CheckpointError(
            f"{path} could not be written: {error.strerror}. Is the disk full, or does another run save there too?"
        ) from error


def _own_copy(path: Path, name: str, tensor: Tensor) -> Tensor:
    """A copy that safetensors can store: dense, contiguous, sharing memory with no other tensor."""
    if tensor.layout is not torch.strided or tensor.is_meta or tensor.dtype is torch.complex128:
        raise CheckpointError(f"{path} was not written: tensor {name!r} has a type that safetensors cannot store")
    return tensor.detach().cpu().clone(memory_format=torch.contiguous_format)


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
        what = _read_header(path, path.read_bytes())["format"]
    except (OSError, CheckpointError):
        what = "something else"
    if what != kind:
        raise CheckpointError(
            f"{path} exists and is {what!r}, not {kind!r}; it was not replaced: "
            f"move it away, or save under another name"
        )


def _digest(data: bytes, written: str) -> str:
    """The SHA-256 of a file, without the digest that is written in it."""
    return hashlib.sha256(data.replace(written.encode(errors="replace"), _NO_DIGEST.encode(), 1)).hexdigest()


def _read_header(path: str | Path, data: bytes) -> dict[str, Any]:
    """The JSON object in the header, its fields of the right types."""
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


def _refuse_nonfinite(path: str | Path, tensors: Mapping[str, Tensor], consequence: str) -> None:
    nonfinite = [name for name, tensor in tensors.items() if not bool(torch.isfinite(tensor).all())]
    if nonfinite:
        raise CheckpointError(f"{path} {consequence}; there are NaNs or infinities in {_enumerate(nonfinite)}")


def _check_names(path: str | Path, what: str, stored: Any, expected: Sequence[str]) -> None:
    if not (isinstance(stored, list) and all(isinstance(name, str) for name in stored)):
        raise CheckpointError(f"{path} does not list its {what}; it was not written by save_weights")
    if stored == list(expected):
        return
    theirs, ours = list(map(repr, stored)), list(map(repr, expected))
    faults = _differences("only the file has", theirs, ours) + _differences("the file lacks", ours, theirs)
    if not faults:
        place, (one, other) = next(
            (place, pair) for place, pair in enumerate(zip_longest(theirs, ours)) if pair[0] != pair[1]
        )
        faults = [f"their order differs: number {place} is {one} in the file and {other} here"]
    raise CheckpointError(f"{path} was trained with other {what}: {'; '.join(faults)}. Load it with its own catalogue")


def _differences(label: str, names: Iterable[str], others: Iterable[str]) -> list[str]:
    """One sentence on the names that the others lack, if there are any."""
    missing = [name for name in names if name not in others]
    return [f"{label} {_enumerate(missing)}"] if missing else []


def _enumerate(items: Iterable[str], most: int = 5) -> str:
    """The first few items, and how many more there are."""
    listed = list(items)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def _size(tensor: Tensor) -> str:
    return f"({' x '.join(map(str, tensor.shape))})"
