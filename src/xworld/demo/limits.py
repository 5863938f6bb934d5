"""Bounds that keep the server alive: how much at once, how large, and how long it waits."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from xworld.demo.errors import BUSY, TIMEOUT, TOO_LARGE, RequestError

Result = TypeVar("Result")

_MAX_LENGTH_DIGITS = 12
"""A longer Content-Length is too large without being read."""


@dataclass(frozen=True)
class Limits:
    """What the server accepts."""

    max_body: int = 256 * 1024
    """Bytes of a request."""
    max_teach_body: int = 1024 * 1024
    """Bytes of a request with a picture."""
    timeout: float = 10.0
    """Seconds for a request to arrive."""
    max_requests: int = 256
    """Requests in work or waiting for a thread."""
    threads: int = 2
    """Threads that answer requests. The work is pure computing, so more threads would only take turns."""
    max_connections: int = 4096
    """Open connections; further ones are closed at once."""
    max_waiting_lessons: int = 8
    """Lessons in the queue behind the one that is being taught."""
    max_lessons_per_visitor: int = 2
    """Lessons of one visitor in the queue: one that is ending, and the next."""
    teaching_niceness: int = 10
    """How much lower the priority of teaching is than that of answering, in units of `nice`; only on Linux."""
    word_sessions: int = 50
    """Test sessions with a taught word, for each type of command."""
    rest_sessions: int = 200
    """Test sessions with all other words, before and after."""


class LoadLimiter:
    """Bounds the number of requests, and answers them in a few threads beside the event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._threads = asyncio.Semaphore(limits.threads)
        self._requests = 0

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Call a function in a thread when one is free."""
        async with self._threads:
            return await asyncio.to_thread(function, *arguments)

    @contextmanager
    def admit(self) -> Iterator[None]:
        """Count a request from before its body is read until it is answered; refuse it if there are too many."""
        if self._requests >= self.limits.max_requests:
            raise RequestError("Many people are here at the moment; please try again in a few seconds.", BUSY)
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1


async def read_body(request: Request, max_bytes: int, timeout: float) -> bytes:
    """The body of a request; one that is too large is refused without reading the rest."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or len(announced) > _MAX_LENGTH_DIGITS or int(announced) > max_bytes:
        raise _too_large(max_bytes)
    body = bytearray()
    try:
        async with asyncio.timeout(timeout):
            async for part in request.stream():
                body += part
                if len(body) > max_bytes:
                    raise _too_large(max_bytes)
    except TimeoutError as error:
        raise RequestError("The request did not arrive in time; please send it again.", TIMEOUT) from error
    except ClientDisconnect as error:
        raise RequestError("The request was cut off.") from error
    return bytes(body)


def _too_large(max_bytes: int) -> RequestError:
    return RequestError(f"The request is too large; send at most {max_bytes // 1024} kB.", TOO_LARGE)
