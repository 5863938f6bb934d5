"""The fields of a request, each of the type that it is to have, or refused in a sentence."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from xworld.demo.errors import RequestError

Fields = Mapping[str, Any]

_SHOWN = 40
"""How many characters an error quotes of what it was given."""


def read_fields(body: bytes) -> Fields:
    """The fields of a body, a JSON object; NaN and the infinities are no JSON.

    >>> read_fields(b'{"seed": 3}')
    {'seed': 3}
    """
    try:
        fields = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # bytes that are no text are a ValueError too
        raise RequestError('The request is not JSON: send an object such as {"agent": "standard"}.') from error
    if not isinstance(fields, dict):
        raise RequestError(f'The request is {quote(fields)}; expected a JSON object such as {{"agent": "standard"}}.')
    return fields


def whole(fields: Fields, name: str, low: int, high: int) -> int | None:
    """A whole number within bounds; None where the field is missing or null."""
    value = fields.get(name)
    return None if value is None else check_whole(value, name, low, high)


def check_whole(value: Any, name: str, low: int, high: int) -> int:
    """The same, of a value by itself.

    >>> check_whole(9, "size", 3, 7)
    Traceback (most recent call last):
        ...
    xworld.demo.errors.RequestError: size is 9; expected a whole number from 3 to 7.
    """
    if type(value) is not int or not low <= value <= high:
        raise RequestError(f"{name} is {quote(value)}; expected a whole number from {low} to {high}.")
    return value


def text(fields: Fields, name: str) -> str | None:
    """A text; None where the field is missing or null."""
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or (not value.isascii() and _is_broken(value)):
        raise RequestError(f"{name} is {quote(value)}; expected a text.")
    return value


def one_of(fields: Fields, name: str, known: Iterable[str]) -> str | None:
    """A text out of a list; None where the field is missing or null."""
    value, options = text(fields, name), list(known)
    if value is None or value in options:
        return value
    raise RequestError(f"{name} is {quote(value)}; there are {', '.join(options)}.")


def quote(value: Any) -> str:
    """A value as an error shows it: the beginning is enough.

    >>> quote("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    shown = repr(value[:_SHOWN]) if isinstance(value, str) else json.dumps(value)[:_SHOWN]
    long = isinstance(value, str) and len(value) > _SHOWN
    return f"{shown[:-1]}...{shown[-1]}" if long else shown


def _is_broken(value: str) -> bool:
    """Whether a text has halves of characters, which JSON allows and nobody can write back."""
    return value != value.encode("utf-8", "ignore").decode()


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
