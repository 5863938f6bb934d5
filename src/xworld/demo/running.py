"""Starting and stopping the server: a socket, one process, a word when it answers."""

import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from xworld.demo.connections import Connections
from xworld.demo.limits import Limits

_LAST_REQUESTS = 1
"""Seconds for the answers that are on their way when the server is told to stop."""
_OTHER_FILES = 100
"""Open files that are no connections."""


def open_socket(host: str, port: int) -> socket.socket:
    """A socket to listen on; port 0 takes any that is free.

    >>> with open_socket("127.0.0.1", 0) as listening:
    ...     open_socket("127.0.0.1", listening.getsockname()[1])
    Traceback (most recent call last):
        ...
    OSError: port ... is taken, perhaps by another demo; --port names another, and --port 0 takes any that is free
    """
    if not 0 <= port < 2**16:
        raise ValueError(f"--port {port}: expected a whole number from 0 to {2**16 - 1}")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise ValueError(f"--host {host}: no such address ({error})") from error
    # Only where TCP is named does asyncio send answers at once. Else the end of one waits some 40 ms, until the other
    # side has said that it has the beginning.
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


def make_server(
    app: ASGIApp,
    limits: Limits,
    when_up: Callable[[], None] = lambda: None,
    when_told_to_stop: Callable[[], None] = lambda: None,
) -> uvicorn.Server:
    """A server to be run on a socket until ctrl-C.

    `when_up` is called as soon as requests are answered, `when_told_to_stop` before the last answers are waited for.
    """
    most = _allow_files(limits.connections + _OTHER_FILES) - _OTHER_FILES
    connections = Connections(most, limits.patience)
    config = uvicorn.Config(
        connections.around(app),
        http=connections.protocol(),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_LAST_REQUESTS,
    )
    return _Server(config, when_up, when_told_to_stop)


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, when_up: Callable[[], None], when_told_to_stop: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._when_up, self._when_told_to_stop = when_up, when_told_to_stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._when_up()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._when_told_to_stop()
        await super().shutdown(sockets)


def _allow_files(wanted: int) -> int:
    """Have the system allow so many open files, a connection being one, or as many as it will."""
    try:
        import resource  # there is none on Windows, which has no such limit
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _explain(error: OSError, host: str, port: int) -> OSError:
    if "in use" in str(error):
        return OSError(
            f"port {port} is taken, perhaps by another demo; --port names another, and --port 0 takes any that is free"
        )
    return OSError(f"--host {host} --port {port}: {error.strerror or error}")
