"""The server: its socket, its address, and how it stops."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from xworld.demo.limits import Limits


def open_socket(host: str, port: int) -> socket.socket:
    """A socket to listen on; port 0 takes any free port.

    >>> with open_socket("127.0.0.1", 0) as listening:
    ...     open_socket("127.0.0.1", listening.getsockname()[1])
    Traceback (most recent call last):
        ...
    OSError: port ... is in use, perhaps by another demo; choose another with --port, or any free one with --port 0
    """
    if not 0 <= port < 2**16:
        raise ValueError(f"--port {port}: expected a whole number from 0 to {2**16 - 1}")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise ValueError(f"--host {host}: no such address ({error})") from error
    # asyncio turns Nagle's algorithm off only if the protocol is named; with it, the end of an answer waits some 40 ms
    # for the acknowledgment of its beginning.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        raise _explain(error, host, port) from error
    return listening


def url_of(listening: socket.socket) -> str:
    """The address for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def make_server(app: ASGIApp, limits: Limits) -> uvicorn.Server:
    """A server to run on a socket."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.max_connections,
    )
    return _Server(config)


@contextmanager
def exit_at_signal() -> Iterator[None]:
    """End the process at once, at ctrl-C or when it is terminated: it has nothing to save.

    Waiting for answers and lessons would take long, and breaking them off would fail in many ways.
    """
    before = {number: signal.signal(number, lambda *_: os._exit(0)) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `exit_at_signal`."""
        yield


def _explain(error: OSError, host: str, port: int) -> OSError:
    if "in use" in str(error):
        return OSError(
            f"port {port} is in use, perhaps by another demo; choose another with --port, or any free one with --port 0"
        )
    return OSError(f"--host {host} --port {port}: {error.strerror or error}")
