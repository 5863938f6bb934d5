"""Refused requests: an HTTP status for the browser, and one sentence for a person."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

BAD_REQUEST, FORBIDDEN, GONE, TOO_LARGE, TOO_MANY, BUSY = 400, 403, 410, 413, 429, 503

_QUOTED_LENGTH = 40


class RequestError(Exception):
    """Why a request is refused, and what to send instead.

    >>> RequestError("No word 'aple'; did you mean 'apple'?", near=["apple"]).content
    {'error': "No word 'aple'; did you mean 'apple'?", 'near': ['apple']}
    """

    def __init__(self, sentence: str, status: int = BAD_REQUEST, **details: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.content: Mapping[str, Any] = {"error": sentence, **details}


class RequestModel(BaseModel):
    """A request whose fields have exact JSON types. The description of a field completes "expected ..." in errors."""

    model_config = ConfigDict(strict=True, frozen=True)


class AgentRequest(RequestModel):
    """A request to one of the agents."""

    agent: str | None = None


def explain_invalid(error: ValidationError, model: type[BaseModel]) -> str:
    """The first thing that is wrong with a request, in one sentence.

    >>> from pydantic import Field
    >>> class Order(RequestModel):
    ...     apples: int = Field(ge=1, le=9, description="a whole number from 1 to 9")
    >>> try:
    ...     Order.model_validate_json('{"apples": 12}')
    ... except ValidationError as error:
    ...     explain_invalid(error, Order)
    'apples is 12; expected a whole number from 1 to 9.'
    """
    first = error.errors(include_url=False)[0]
    if not first["loc"]:
        return 'The request is not a JSON object; send one such as {"agent": "standard"}.'
    name, expected = "", ""
    for part in first["loc"]:
        if isinstance(part, int):
            name += f"[{part}]"
        elif part in model.model_fields:
            field = model.model_fields[part]
            name, expected = f"{name}.{part}".lstrip("."), field.description or "a text"
            model = field.annotation if isinstance(field.annotation, type) else model
    given = "missing" if first["type"] == "missing" else quote(first["input"])
    return f"{name} is {given}; expected {expected}."


def quote(value: Any) -> str:
    """A value as errors show it: its beginning is enough."""
    if isinstance(value, dict | list | tuple):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, str):
        return repr(value if len(value) <= _QUOTED_LENGTH else f"{value[:_QUOTED_LENGTH]}...")
    return json.dumps(value)[:_QUOTED_LENGTH]
