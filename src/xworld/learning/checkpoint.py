"""Checkpoints: an agent's weights, or a whole training state, in one file that is either whole or refused.

The files are safetensors files, so that reading one runs no code. The header holds one text, a JSON object: the name
and version of the format, the size of the tensors, a SHA-256 of the whole file, and the content that is not tensors.
"""

import hashlib
import json
import math
import os
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

WEIGHTS_FORMAT = "xworld agent"
STATE_FORMAT = "xworld training state"
VERSION = 1
"""Readers refuse files of a later version than theirs."""

_HEADER_KEY = "xworld"
"""safetensors writes several keys in random order; one key makes the bytes of equal checkpoints equal."""
_HEADER_TYPES = {"format": str, "version": int, "size": int, "sha256": str, "content": dict}
_UNSEALED = "0" * 64
"""Stands in the place of the SHA-256 while it is computed."""
_LENGTH_BYTES = 8
"""A safetensors file begins with the length of its header."""
_LONGEST_HEADER = 100_000_000
"""The limit of safetensors."""
_WEIGHT_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_MOST_NAMED = 5
"""How many differences an error lists."""


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
    """Write an agent's weights, the words that they stand for, and where they come from, which may be any JSON.

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
    _refuse_unsound(path, full, "was not written: training has gone astray")
    weights = {name: tensor.to(dtype) if tensor.is_floating_point() else tensor for name, tensor in full.items()}
    _refuse_unsound(path, weights, f"was not written: {dtype} is too small for these weights, save a wider dtype")
    content = {"classes": list(catalogue_classes), "words": list(vocabulary), "provenance": dict(provenance)}
    _save(path, WEIGHTS_FORMAT, weights, content)


def load_weights(
    path: str | Path, catalogue_classes: Sequence[str], vocabulary: Sequence[str]
) -> tuple[dict[str, Tensor], dict[str, object]]:
    """The weights as they were stored, and their provenance; an agent of other classes or words is refused."""
    weights, content = _load(path, WEIGHTS_FORMAT)
    provenance = content.get("provenance")
    if not isinstance(provenance, dict):
        raise CheckpointError(f"{path} does not say where its weights come from; it is no file that save_weights wrote")
    _check_names(path, "classes", content.get("classes"), catalogue_classes)
    _check_names(path, "words", content.get("words"), vocabulary)
    _refuse_unsound(path, weights, "cannot be used: an earlier checkpoint may be sound")
    return weights, provenance


def check_shapes(
    tensors: Mapping[str, Tensor], expected: Mapping[str, torch.Size], path: str | Path = "the checkpoint"
) -> None:
    """Refuse tensors that are not exactly the expected ones; `path` is what the error calls their file.

    >>> check_shapes({"bias": torch.zeros(2)}, {"bias": torch.Size([3])}, "agent.safetensors")
    Traceback (most recent call last):
        ...
    xworld.learning.checkpoint.CheckpointError: agent.safetensors does not fit this agent: bias is (2), expected (3)
    """
    faults = []
    if missing := [name for name in expected if name not in tensors]:
        faults.append(f"it lacks {_enumerate(missing)}")
    if unexpected := [name for name in tensors if name not in expected]:
        faults.append(f"it has unexpected {_enumerate(unexpected)}")
    shared = [name for name in expected if name in tensors and tensors[name].shape != expected[name]]
    if shared:
        sizes = (f"{name} is {_size(tensors[name].shape)}, expected {_size(expected[name])}" for name in shared)
        faults.append(_enumerate(sizes))
    if faults:
        raise CheckpointError(f"{path} does not fit this agent: {'; '.join(faults)}")


def save_state(
    path: str | Path, tensors: Mapping[str, Tensor], arrays: Mapping[str, np.ndarray], record: Mapping[str, object]
) -> None:
    """Write a training state: tensors and arrays keep every bit, and the record may be any JSON.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_state(f"{folder}/run.safetensors", {"bias": torch.ones(2)}, {"seeds": np.arange(3)}, {"iteration": 7})
    ...     load_state(f"{folder}/run.safetensors")
    ({'bias': tensor([1., 1.])}, {'seeds': array([0, 1, 2])}, {'iteration': 7})
    """
    kinds = {
        name: {"dtype": _describe(path, name, array.dtype), "shape": array.shape} for name, array in arrays.items()
    }
    stored = {f"tensor/{name}": tensor for name, tensor in tensors.items()}
    stored |= {f"array/{name}": _bytes_of(array) for name, array in arrays.items()}
    _save(path, STATE_FORMAT, stored, {"arrays": kinds, "record": dict(record)})


def load_state(path: str | Path) -> tuple[dict[str, Tensor], dict[str, np.ndarray], dict[str, Any]]:
    """The tensors, arrays and record of a training state."""
    stored, content = _load(path, STATE_FORMAT)
    try:
        arrays = {
            name: _array_of(stored.pop(f"array/{name}"), _restore(kind["dtype"]), tuple(kind["shape"]))
            for name, kind in content["arrays"].items()
        }
        tensors = {name.removeprefix("tensor/"): tensor for name, tensor in stored.items()}
        return tensors, arrays, dict(content["record"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CheckpointError(f"{path} describes its arrays wrongly ({error}); save_state did not write it") from error


# Arrays: raw bytes, and a description of what they mean that NumPy can be told again.


def _bytes_of(array: np.ndarray) -> Tensor:
    return torch.from_numpy(np.array(array, order="C", ndmin=1).reshape(-1).view(np.uint8))


def _array_of(stored: Tensor, dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
    if math.prod(shape) * dtype.itemsize != stored.numel() or stored.dtype != torch.uint8:
        raise ValueError(f"{stored.numel()} bytes are no array of {shape}")
    array = np.empty(shape, dtype)  # memory of its own: aligned, and open to writing
    array.reshape(-1).view(np.uint8)[:] = stored.numpy()
    return array


def _describe(path: str | Path, name: str, dtype: np.dtype[Any]) -> object:
    """A dtype as JSON; one that JSON cannot give back exactly is refused."""
    description = _describe_part(dtype)
    if dtype.hasobject or not dtype.itemsize or _restore(description) != dtype:
        raise CheckpointError(f"{path}: array {name!r} of {dtype} cannot be stored; expected numbers, text or records")
    return description


def _describe_part(dtype: np.dtype[Any]) -> object:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return {"base": _describe_part(base), "shape": list(shape)}
    if dtype.fields is None:
        return dtype.str
    fields = [(name, *dtype.fields[name]) for name in dtype.names or ()]
    return {
        "fields": [[name, _describe_part(part), offset] for name, part, offset, *_ in fields],
        "itemsize": dtype.itemsize,
        "aligned": dtype.isalignedstruct,  # compiled kernels tell aligned records from others
    }


def _restore(description: Any) -> np.dtype[Any]:
    """The dtype of a description. One with objects would take the bytes of a file for addresses in memory."""
    if isinstance(description, str):
        dtype = np.dtype(description)
    elif "base" in description:
        dtype = np.dtype((_restore(description["base"]), tuple(description["shape"])))
    else:
        names, parts, offsets = zip(*description["fields"], strict=True)
        formats = [_restore(part) for part in parts]
        layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": description["itemsize"]}
        dtype = np.dtype(layout, align=description["aligned"])  # type: ignore[call-overload]
    if dtype.hasobject:
        raise ValueError("objects are never read from a file")
    return dtype


# The file: a header that names the format, and a seal over every byte.


def _save(path: str | Path, kind: str, tensors: Mapping[str, Tensor], content: Mapping[str, object]) -> None:
    path = Path(os.path.realpath(path))  # a link stays a link: what it points to is replaced
    _refuse_to_overwrite(path, kind)
    own = {name: _own_copy(path, name, tensor) for name, tensor in tensors.items()}
    header = {
        "format": kind,
        "version": VERSION,
        "size": sum(tensor.nbytes for tensor in own.values()),
        "sha256": _UNSEALED,
        "content": _as_json(path, content),
    }
    data = bytearray(safetensors.torch.save(own, {_HEADER_KEY: json.dumps(header)}))
    place = data.index(_UNSEALED.encode())
    data[place : place + len(_UNSEALED)] = _digest(data, place).encode()
    _write(path, data)


def _own_copy(path: Path, name: str, tensor: Tensor) -> Tensor:
    """A tensor as safetensors wants it: dense, contiguous, in memory that it shares with no other."""
    if tensor.layout is not torch.strided or tensor.is_meta or tensor.dtype is torch.complex128:
        raise CheckpointError(f"{path} was not written: tensor {name!r} is of a kind that safetensors cannot store")
    return tensor.detach().cpu().clone(memory_format=torch.contiguous_format)


def _load(path: str | Path, kind: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    data = _read(path)
    header = _read_header(path, data)
    if header["format"] != kind:
        raise CheckpointError(f"{path} is a checkpoint of another kind: {header['format']!r}, expected {kind!r}")
    if header["version"] > VERSION:
        raise CheckpointError(
            f"{path} has version {header['version']} of its format, and this xworld reads up to {VERSION}: "
            f"a newer xworld is needed"
        )
    _check_seal(path, data, header)
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
    """What our part of the header says, with every field of its right type; `data` may end after the header."""
    text = _header_text(path, data)
    try:
        notes = json.loads(text).get("__metadata__") or {}
        header = json.loads(notes[_HEADER_KEY]) if _HEADER_KEY in notes else None
        sound = header is None or all(type(header[name]) is expected for name, expected in _HEADER_TYPES.items())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: its header cannot be read ({error})") from error
    if header is None:
        raise CheckpointError(f"{path} is a safetensors file from elsewhere: it does not name a format of xworld")
    if not sound:
        raise CheckpointError(f"{path} is damaged: its header has a field of the wrong type")
    return dict(header)


def _header_text(path: str | Path, data: bytes) -> bytes:
    length, start = int.from_bytes(data[:_LENGTH_BYTES], "little"), data[_LENGTH_BYTES:]
    if not data:
        raise CheckpointError(f"{path} is empty")
    if start and (length > _LONGEST_HEADER or not start.startswith(b"{")):
        raise CheckpointError(f"{path} is not a safetensors file, and so no checkpoint of xworld")
    if not start or len(start) < length:
        raise CheckpointError(f"{path} is cut short, or no checkpoint: its {len(data)} bytes end within the header")
    return start[:length]


def _check_seal(path: str | Path, data: bytes, header: Mapping[str, Any]) -> None:
    whole = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little") + header["size"]
    if len(data) < whole:
        raise CheckpointError(f"{path} is cut short: {len(data)} of {whole} bytes are there")
    place = data.find(header["sha256"].encode(errors="replace"))
    if place < 0 or _digest(data, place) != header["sha256"]:
        raise CheckpointError(f"{path} is damaged: its bytes do not match the SHA-256 that they were saved with")


def _digest(data: bytes | bytearray, place: int) -> str:
    """The SHA-256 of a file in which the one at `place` is not yet filled in."""
    view = memoryview(data)
    digest = hashlib.sha256(view[:place])
    digest.update(_UNSEALED.encode())
    digest.update(view[place + len(_UNSEALED) :])
    return digest.hexdigest()


def _as_json(path: Path, content: Mapping[str, object]) -> object:
    """The content as it will be read again, with its keys in order: equal contents give equal bytes."""
    try:
        return json.loads(json.dumps(content, sort_keys=True, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} was not written: what goes with the tensors is not JSON ({error})") from error


# Writing: at every moment the old file or the new one is there, whole.


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
            f"{path} is there already and is {what!r}, not {kind!r}; it is left as it is: "
            f"move it away, or save under another name"
        )


def _write(path: Path, data: bytes | bytearray) -> None:
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(path)
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise CheckpointError(
            f"{path} could not be written: {error.strerror}. Is the disk full, or does another run save there too?"
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _remove_stale(path: Path) -> None:
    """Remove what saves of this checkpoint left behind when they were killed."""
    stale = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{32}}\.partial")
    for file in path.parent.iterdir():
        if stale.fullmatch(file.name):
            with suppress(OSError):
                file.unlink()


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be opened for that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# What is wrong, in words.


def _refuse_unsound(path: str | Path, tensors: Mapping[str, Tensor], consequence: str) -> None:
    unsound = [name for name, tensor in tensors.items() if not bool(torch.isfinite(tensor).all())]
    if unsound:
        raise CheckpointError(f"{path} {consequence}; there are NaNs or infinities in {_enumerate(unsound)}")


def _check_names(path: str | Path, what: str, stored: Any, expected: Sequence[str]) -> None:
    if not (isinstance(stored, list) and all(isinstance(name, str) for name in stored)):
        raise CheckpointError(f"{path} does not list its {what}; it is no file that save_weights wrote")
    if stored == list(expected):
        return
    differences = []
    if removed := [repr(name) for name in stored if name not in expected]:
        differences.append(f"only the file has {_enumerate(removed)}")
    if added := [repr(name) for name in expected if name not in stored]:
        differences.append(f"the file lacks {_enumerate(added)}")
    if not differences:
        place, (theirs, ours) = next(
            (place, pair) for place, pair in enumerate(zip_longest(stored, expected)) if pair[0] != pair[1]
        )
        differences.append(f"in another order, number {place} being {theirs!r} in the file and {ours!r} here")
    raise CheckpointError(
        f"{path} was trained with other {what}: {'; '.join(differences)}. Load it with its own catalogue"
    )


def _enumerate(items: Iterable[str]) -> str:
    """The first few of some items, and how many more there are."""
    listed = list(items)
    more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
    return ", ".join(listed[:_MOST_NAMED]) + more


def _size(shape: torch.Size) -> str:
    return f"({' x '.join(map(str, shape))})"
