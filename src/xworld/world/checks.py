"""Checks of what users give: numbers and names of Python or NumPy pass, all else is refused in one line."""

import math
from collections.abc import Sequence
from numbers import Real
from operator import index
from typing import Any, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

MAX_INT = 2**63 - 1
MAX_SEED = 2**64 - 1
_LONGEST = 80
"""Characters of a value that an error shows."""

Kind = TypeVar("Kind")


class SettingsError(ValueError):
    """A wrong setting or argument; the message names it and says what is expected."""


def refusal(name: str, value: object, expected: str) -> SettingsError:
    """The error for a wrong value. Names with dashes are options of the command line.

    >>> refusal("walls", (0, 99), "fewer"), refusal("--walls", 99, "fewer")
    (SettingsError('walls=(0, 99): expected fewer'), SettingsError('--walls 99: expected fewer'))
    """
    return SettingsError(f"{name}{' ' if name.startswith('--') else '='}{show(value)}: expected {expected}")


def show(value: object) -> str:
    """A value in one short line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # it is too large or too deep to be written, or its own code fails
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def check_whole(name: str, value: Any, least: int, most: int = MAX_INT) -> int:
    """A whole number in a range.

    >>> check_whole("seed", np.int16(3), 0)
    3
    """
    try:
        number = index(value)
    except Exception:  # a TypeError, or what the value's own code raises
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise refusal(name, value, f"a whole number from {least} to {_bound(most)}")
    return number


def check_seed(name: str, value: Any) -> int:
    """The seed of a random stream."""
    return check_whole(name, value, 0, MAX_SEED)


def check_seeds(values: Any, count: int) -> NDArray[np.uint64]:
    """A list of so many seeds. Nothing is rounded or wrapped."""
    if not is_list(values):
        raise refusal("seeds", values, "a list of whole numbers, one for each world")
    if len(values) != count:
        raise SettingsError(f"{len(values)} seeds: expected one for each of the {count} worlds")
    return np.array([check_seed("seed", value) for value in values], np.uint64)


def check_number(name: str, value: Any, least: float, most: float = math.inf) -> float:
    """A finite number in a range."""
    try:
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        number = math.nan
    if not (least <= number <= most and math.isfinite(number)):
        raise refusal(
            name, value, f"a number, {least:g} or more" if most == math.inf else f"a number from {least:g} to {most:g}"
        )
    return number


def check_flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise refusal(name, value, "True or False")
    return bool(value)


def check_choice(name: str, value: Any, known: Sequence[str]) -> str:
    """One of several names."""
    if not (isinstance(value, str) and value in known):
        *others, last = map(repr, known)
        raise refusal(name, value, f"{', '.join(others)} or {last}" if others else last)
    return value


def check_kind(name: str, value: Any, kind: type[Kind]) -> Kind:
    """An object of a class of ours."""
    if not isinstance(value, kind):
        raise refusal(name, value, f"{kind.__name__}(...)")
    return value


def as_array(name: str, value: Any) -> NDArray[Any]:
    """Anything that NumPy makes an array of."""
    try:
        return np.asarray(value)
    except Exception as error:  # of many kinds, and the value's own code may fail too
        raise refusal(name, value, "an array") from error


def is_list(value: object) -> TypeGuard[Sequence[Any] | NDArray[Any]]:
    """Whether a value is a list, a tuple, a range, or an array that has a length."""
    return isinstance(value, list | tuple | range) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _bound(number: int) -> str:
    """A number, or a power of two less one as people write it."""
    return f"2**{number.bit_length()} - 1" if number in (MAX_INT, MAX_SEED) else str(number)
