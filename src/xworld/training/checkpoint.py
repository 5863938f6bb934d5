"""Checkpoints: an agent's weights, or a whole training state, each in a checked file."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from xworld.training.checked_file import CheckpointError, load_checked, save_checked
from xworld.world.catalogue import Catalogue

WEIGHTS_FORMAT = "xworld agent"
STATE_FORMAT = "xworld training state"
Value = TypeVar("Value")

_WEIGHT_TYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_LOADED_AS = {**dict.fromkeys(_WEIGHT_TYPES, torch.float32), torch.int64: torch.int64}
"""Weights are floating-point numbers; a module may count something, too."""


def save_weights(
    path: str | Path,
    agent: nn.Module,
    provenance: Mapping[str, object],
    catalogue_classes: Sequence[str],
    vocabulary: Sequence[str],
    dtype: torch.dtype = torch.float16,
    fingerprint: str | None = None,
) -> None:
    """Write an agent's weights, its classes and words, and its provenance, which may be any JSON.

    The fingerprint is that of the pictures of its catalogue; by default, of the built-in pack.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_weights(f"{folder}/agent.safetensors", nn.Linear(2, 1), {"seed": 0}, ["apple"], ["", "go", "apple"])
    ...     weights, provenance = load_weights(f"{folder}/agent.safetensors", ["apple"], ["", "go", "apple"])
    >>> weights["weight"].dtype, provenance
    (torch.float32, {'seed': 0})
    """
    if dtype not in _WEIGHT_TYPES:
        raise CheckpointError(f"{path}: weights cannot be {dtype}; they can be {', '.join(map(str, _WEIGHT_TYPES))}")
    full = agent.state_dict()
    _refuse_nonfinite(path, full, "was not written: training has diverged")
    weights = {name: tensor.to(dtype) if tensor.is_floating_point() else tensor for name, tensor in full.items()}
    _refuse_nonfinite(path, weights, f"was not written: the weights overflow {dtype}, save them in a wider dtype")
    names = {"classes": list(catalogue_classes), "words": list(vocabulary)}
    pictures = fingerprint or Catalogue.load().fingerprint
    save_checked(path, WEIGHTS_FORMAT, weights, {**names, "fingerprint": pictures, "provenance": dict(provenance)})


def load_weights(
    path: str | Path, catalogue_classes: Sequence[str], vocabulary: Sequence[str], fingerprint: str | None = None
) -> tuple[dict[str, Tensor], dict[str, object]]:
    """The weights, as float32, and their provenance; a file with other classes, words or pictures is refused.

    A file or a caller without a fingerprint means the built-in pack.
    """
    weights, content = load_checked(path, WEIGHTS_FORMAT)
    provenance = content.get("provenance")
    if not isinstance(provenance, dict):
        raise CheckpointError(f"{path} has no provenance; it was not written by save_weights")
    built_in = Catalogue.load().fingerprint
    pictures = str(content.get("fingerprint", built_in))
    pack = f"its own icon pack, whose fingerprint is {pictures}"
    language = extend_options(provenance) or "without --extend"
    _check_names(path, "classes", content.get("classes"), catalogue_classes, pack)
    _check_names(path, "words", content.get("words"), vocabulary, f"{pack}, and {language}")
    if pictures != (fingerprint or built_in):
        raise CheckpointError(
            f"{path} was trained with other pictures of {_enumerate(catalogue_classes)}: their fingerprint is "
            f"{pictures}, and that of these is {fingerprint or built_in}. Load it with its own icon pack"
        )
    odd = [f"{name} is of {tensor.dtype}" for name, tensor in weights.items() if tensor.dtype not in _LOADED_AS]
    if odd:
        raise CheckpointError(f"{path} holds no weights of an agent: {_enumerate(odd)}")
    weights = {name: tensor.to(_LOADED_AS[tensor.dtype]) for name, tensor in weights.items()}
    _refuse_nonfinite(path, weights, "cannot be used: try an earlier checkpoint")
    return weights, provenance


def check_shapes(
    tensors: Mapping[str, Tensor], expected: Mapping[str, Tensor], path: str | Path = "the checkpoint"
) -> None:
    """Refuse tensors with other names, shapes or types than expected; the error calls their file `path`."""
    other = [name for name in expected if name in tensors and _kind(tensors[name]) != _kind(expected[name])]
    faults = _differences("it lacks", expected, tensors) + _differences("it has unexpected", tensors, expected)
    if other:
        faults.append(
            _enumerate(f"{name} is {_kind(tensors[name])}, expected {_kind(expected[name])}" for name in other)
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
    save_checked(path, STATE_FORMAT, stored, record)


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


def check_record(record: Mapping[str, object], names: Iterable[str]) -> None:
    """Refuse the JSON of a training state that lacks something."""
    if lacking := [name for name in names if name not in record]:
        raise CheckpointError(f"the state is damaged, or not one of this xworld: it lacks {_enumerate(lacking)}")


def _refuse_nonfinite(path: str | Path, tensors: Mapping[str, Tensor], consequence: str) -> None:
    nonfinite = [name for name, tensor in tensors.items() if not bool(torch.isfinite(tensor).all())]
    if nonfinite:
        raise CheckpointError(f"{path} {consequence}; there are NaNs or infinities in {_enumerate(nonfinite)}")


def extend_options(provenance: Mapping[str, Any]) -> str:
    """The options that load the files an agent was trained with; empty if there were none."""
    extensions = provenance.get("extend")
    known = [item for item in extensions if isinstance(item, dict)] if isinstance(extensions, list) else []
    return " ".join(f"--extend {Path(str(extension.get('file'))).name}" for extension in known)


def _check_names(path: str | Path, what: str, stored: Any, expected: Sequence[str], remedy: str) -> None:
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
    raise CheckpointError(f"{path} was trained with other {what}: {'; '.join(faults)}. Load it with {remedy}")


def _differences(label: str, names: Iterable[str], others: Iterable[str]) -> list[str]:
    """One sentence on the names that the others lack, if there are any."""
    missing = [name for name in names if name not in others]
    return [f"{label} {_enumerate(missing)}"] if missing else []


def _enumerate(items: Iterable[str], most: int = 5) -> str:
    """The first few items, and how many more there are."""
    listed = list(items)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def _kind(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')} ({' x '.join(map(str, tensor.shape))})"
