"""What the server takes on: how much at once, how large, and how long it waits for it."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from xworld.demo.errors import BUSY, TOO_LARGE, RequestError

Result = TypeVar("Result")

_DIGITS = 12
"""Of a size; longer ones need not be read to be too large."""


@dataclass(frozen=True)
class Limits:
    """Bounds that keep the server alive whatever it is sent."""

    body: int = 256 * 1024
    """Bytes of a request."""
    teach_body: int = 1024 * 1024
    """Bytes of a request with a picture."""
    patience: float = 10.0
    """Seconds for a body to arrive."""
    at_once: int = 256
    """Requests that are worked on or wait for it."""
    threads: int = 2
    """Threads that work on them: the work is computing, so that more would only take turns."""
    connections: int = 4096
    """Open connections; further ones are closed at once."""
    waiting: int = 8
    """Visitors in line behind the one whose agent is taught."""
    lessons_each: int = 2
    """Lessons that one visitor may have in line: one that is ending, and the next."""
    word_sessions: int = 50
    """Sessions of each type of command in which a taught word is examined."""
    rest_sessions: int = 200
    """Sessions in which everything else is, before and after."""


class LoadLimiter:
    """Requests that are worked on, no more than a bound; work is done beside the event loop, in a few threads."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="demo")
        self._present = 0

    async def work(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Call a function in one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    def close(self) -> None:
        """Let the threads go; what waits is dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Take a place in the limiter, from before a body is read; refused where there is none."""
        if self._present >= self.limits.at_once:
            raise RequestError("Many people are here at the moment; please try again in a few seconds.", BUSY)
        self._present += 1
        try:
            yield
        finally:
            self._present -= 1


async def read_body(request: Request, most: int, patience: float) -> bytes:
    """The body of a request; one that is too large is refused without being read to its end."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or len(announced) > _DIGITS or int(announced) > most:
        raise _too_large(most)
    try:
        async with asyncio.timeout(patience):
            return await _gather(request, most)
    except TimeoutError as error:
        raise RequestError("The request did not arrive in time; please send it again.", 408) from error
    except ClientDisconnect as error:
        raise RequestError("The request broke off.") from error


async def _gather(request: Request, most: int) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise _too_large(most)
    return bytes(body)


def _too_large(most: int) -> RequestError:
    return RequestError(f"The request is too large; at most {most // 1024} kB are taken.", TOO_LARGE)
