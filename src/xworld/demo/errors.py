"""What a request gets that cannot be served: a sentence for a person, and a status for the browser."""

from collections.abc import Mapping
from typing import Any

BAD_REQUEST, FORBIDDEN, GONE, TOO_LARGE, TOO_MANY, BUSY = 400, 403, 410, 413, 429, 503


class RequestError(Exception):
    """Why a request is not served, and what would be.

    >>> RequestError("No word 'aple'; did you mean 'apple'?", near=["apple"]).content
    {'error': "No word 'aple'; did you mean 'apple'?", 'near': ['apple']}
    """

    def __init__(self, sentence: str, status: int = BAD_REQUEST, **more: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.content: Mapping[str, Any] = {"error": sentence, **more}
