"""Values that nobody should give: of every type, size and shape, and an object whose every method fails."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

Generator = np.random.Generator


class Broken:
    """An object that fails whatever is asked of it, except its hash."""

    def fail(self, *_: Any) -> Any:
        raise RuntimeError("broken")

    __repr__ = __str__ = __eq__ = __len__ = __iter__ = __bool__ = __index__ = __float__ = fail
    __array__ = __getitem__ = __contains__ = __lt__ = __le__ = __gt__ = __ge__ = fail
    __hash__ = object.__hash__


def _deep() -> Any:
    nested: Any = ()
    for _ in range(20_000):
        nested = (nested,)
    return nested


def _endless() -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


def _array_of(value: object) -> Any:
    array = np.empty(1, object)
    array[0] = value
    return array


_NUMBERS: list[Any] = [
    *(0, 1, 2, 3, -1, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**64), 10**12, 10**30, 10**400, 10**5000),
    *(0.0, 0.5, 1.0, -0.5, 1.5, 1e-300, 1e300, float("nan"), float("inf"), -float("inf"), 1j, True, False),
    *(Fraction(1, 3), Fraction(10**400), Decimal("0.5"), Decimal("nan")),
    *(np.int8(-1), np.int16(3), np.int64(2), np.uint8(255), np.uint64(2**64 - 1), np.bool_(True), np.complex64(1)),
    *(np.float16(0.5), np.float32(0.25), np.float64(0.75), np.float64("nan"), np.float32("inf"), np.longdouble(0.5)),
    *(np.datetime64("2017-01-01"), np.timedelta64(2), np.datetime64("nat")),
]
_TEXTS: list[Any] = [
    *("", "x", "tiles", "nav_obj", "apple", "Standard", "a\nb", "\0", "\ud800", "x" * 10_000, "1", "nan"),
    *(b"", b"ab", bytearray(b"abc"), np.str_("tiles"), np.bytes_(b"x"), Path("/nowhere"), Path("x" * 5_000)),
]
_ARRAYS: list[Any] = [
    *(np.array(3), np.array([]), np.array([1]), np.array([1, 2]), np.array([0.5]), np.array(float("nan"))),
    *(np.zeros((2, 2), np.int64), np.zeros((1, 1)), np.empty((0, 3)), np.ones(3, bool), np.array(["a", "b"])),
    *(np.array([None, 1], object), np.array([2**63], np.uint64), np.array([0, 0], np.uint8), np.zeros(2, [("a", int)])),
    *(_array_of(Broken()), np.array([1, 2], "timedelta64[s]"), np.ma.array([1, 2], mask=[False, True])),
]
_OBJECTS: list[Any] = [
    *(None, object(), Broken(), Broken, int, len, ..., slice(2), [], {}, (), set(), range(3), iter([1, 2])),
    *(memoryview(b"ab"), _endless(), _deep()),
]


def wild(generator: Generator, depth: int = 0) -> Any:
    """A value of any kind; a third of them hold other values."""
    kinds = (_NUMBERS, _TEXTS, _ARRAYS, _OBJECTS)
    kind = generator.integers(6 if depth < 2 else 4)
    if kind < 4:
        return _pick(generator, kinds[kind])
    items = [wild(generator, depth + 1) for _ in range(generator.integers(1, 5))]
    if kind == 4:
        return tuple(items)
    return items if generator.random() < 0.7 else {str(place): item for place, item in enumerate(items)}


def spoil(generator: Generator, value: Any) -> Any:
    """A value with one of its parts replaced by a wild one, or all of it."""
    if isinstance(value, tuple | list) and len(value) and generator.random() < 0.6:
        place = generator.integers(len(value) + 1)
        items = [*value[:place], wild(generator, 1), *value[place + generator.integers(2) :]]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind in "biu" and generator.random() < 0.6:
        return value.astype(_pick(generator, ["f4", "u8", "i1", "O", "U3", "c8", "?"]))[generator.integers(2) :]
    return wild(generator)


def _pick(generator: Generator, values: list[Any]) -> Any:
    return values[generator.integers(len(values))]
