"""Checkpoints: an agent's weights, or a whole training state, each in one checked file."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from xworld.training.checked_file import CheckpointError, load_checked, save_checked

WEIGHTS_FORMAT = "xworld agent"
STATE_FORMAT = "xworld training state"
_WEIGHT_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_MOST_NAMED = 5
"""The most differences that an error lists."""


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
    save_checked(path, WEIGHTS_FORMAT, weights, content)


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
    tensors: Mapping[str, Tensor], expected: Mapping[str, torch.Size], path: str | Path = "the checkpoint"
) -> None:
    """Refuse tensors with other names or shapes than expected; the error calls their file `path`.

    >>> check_shapes({"bias": torch.zeros(2)}, {"bias": torch.Size([3])}, "agent.safetensors")
    Traceback (most recent call last):
        ...
    xworld.training.checked_file.CheckpointError: agent.safetensors does not fit this agent: bias is (2), expected (3)
    """
    faults = []
    if missing := [name for name in expected if name not in tensors]:
        faults.append(f"it lacks {_enumerate(missing)}")
    if unexpected := [name for name in tensors if name not in expected]:
        faults.append(f"it has unexpected {_enumerate(unexpected)}")
    if other := [name for name in expected if name in tensors and tensors[name].shape != expected[name]]:
        faults.append(
            _enumerate(f"{name} is {_size(tensors[name].shape)}, expected {_size(expected[name])}" for name in other)
        )
    if faults:
        raise CheckpointError(f"{path} does not fit this agent: {'; '.join(faults)}")


def save_state(
    path: str | Path, tensors: Mapping[str, Tensor], arrays: Mapping[str, np.ndarray], record: Mapping[str, object]
) -> None:
    """Write a training state: tensors and arrays bit for bit, and a record, which may be any JSON.

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
    save_checked(path, STATE_FORMAT, stored, {"arrays": kinds, "record": dict(record)})


def load_state(path: str | Path) -> tuple[dict[str, Tensor], dict[str, np.ndarray], dict[str, Any]]:
    """The tensors, arrays and record of a training state."""
    stored, content = load_checked(path, STATE_FORMAT)
    try:
        arrays = {
            name: _array_of(stored.pop(f"array/{name}"), _restore(kind["dtype"]), tuple(kind["shape"]))
            for name, kind in content["arrays"].items()
        }
        tensors = {name.removeprefix("tensor/"): tensor for name, tensor in stored.items()}
        return tensors, arrays, dict(content["record"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CheckpointError(
            f"{path} describes its arrays wrongly ({error}); it was not written by save_state"
        ) from error


def _bytes_of(array: np.ndarray) -> Tensor:
    return torch.from_numpy(np.array(array, order="C", ndmin=1).reshape(-1).view(np.uint8))


def _array_of(stored: Tensor, dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
    if math.prod(shape) * dtype.itemsize != stored.numel() or stored.dtype != torch.uint8:
        raise ValueError(f"{stored.numel()} bytes cannot be an array of {shape}")
    array = np.empty(shape, dtype)  # aligned and writable
    array.reshape(-1).view(np.uint8)[:] = stored.numpy()
    return array


def _describe(path: str | Path, name: str, dtype: np.dtype[Any]) -> object:
    """A dtype as JSON; one that cannot be restored exactly is refused."""
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
        "aligned": dtype.isalignedstruct,  # compiled kernels distinguish aligned records
    }


def _restore(description: Any) -> np.dtype[Any]:
    """The dtype of a description. With objects in it, bytes of a file would be used as memory addresses."""
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
        raise ValueError("an array from a file cannot hold objects")
    return dtype


def _refuse_nonfinite(path: str | Path, tensors: Mapping[str, Tensor], consequence: str) -> None:
    nonfinite = [name for name, tensor in tensors.items() if not bool(torch.isfinite(tensor).all())]
    if nonfinite:
        raise CheckpointError(f"{path} {consequence}; there are NaNs or infinities in {_enumerate(nonfinite)}")


def _check_names(path: str | Path, what: str, stored: Any, expected: Sequence[str]) -> None:
    if not (isinstance(stored, list) and all(isinstance(name, str) for name in stored)):
        raise CheckpointError(f"{path} does not list its {what}; it was not written by save_weights")
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
        differences.append(f"their order differs: number {place} is {theirs!r} in the file and {ours!r} here")
    raise CheckpointError(
        f"{path} was trained with other {what}: {'; '.join(differences)}. Load it with its own catalogue"
    )


def _enumerate(items: Iterable[str]) -> str:
    """The first few items, and how many more there are."""
    listed = list(items)
    more = f" and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
    return ", ".join(listed[:_MOST_NAMED]) + more


def _size(shape: torch.Size) -> str:
    return f"({' x '.join(map(str, shape))})"
