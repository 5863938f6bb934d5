"""Bounds that keep the server alive: how much at once, and how large."""

from dataclasses import dataclass

from starlette.requests import ClientDisconnect, Request

from xworld.demo.errors import TOO_LARGE, RequestError


@dataclass(frozen=True)
class Limits:
    """What the server accepts."""

    max_body: int = 256 * 1024
    """Bytes of a request."""
    max_teach_body: int = 1024 * 1024
    """Bytes of a request with a picture."""
    max_connections: int = 200
    """Open connections; requests on further ones get status 503."""
    threads: int = 2
    """Threads that answer requests. The work is pure computing, so more threads would only take turns."""
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


async def read_body(request: Request, max_bytes: int) -> bytes:
    """The body of a request; one that is too large is refused without reading the rest."""
    too_large = RequestError(f"The request is too large; send at most {max_bytes // 1024} kB.", TOO_LARGE)
    if int(request.headers.get("content-length", 0)) > max_bytes:  # uvicorn has checked that it is a number
        raise too_large
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > max_bytes:
                raise too_large
    except ClientDisconnect as error:
        raise RequestError("The request was cut off.") from error
    return bytes(body)
