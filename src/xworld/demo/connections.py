"""Open connections: a bounded number, each closed unless a whole request arrives in time."""

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

Client = tuple[str, int]
"""The other end of a connection: its address and port."""


class Connection:
    """Closes a connection if a whole request does not arrive in time; sending byte by byte gains no time."""

    def __init__(self, transport: asyncio.Transport, timeout: float) -> None:
        self._transport, self._timeout = transport, timeout
        self._requests = 0  # the next one may arrive before the last is quite finished
        self._start_timer()

    def begin_request(self) -> None:
        """A whole request has arrived."""
        self._requests += 1
        self.stop_timer()

    def end_request(self) -> None:
        """It was answered; wait for the next."""
        self._requests -= 1
        if not self._requests and not self._transport.is_closing():
            self._start_timer()

    def stop_timer(self) -> None:
        """Wait for nothing."""
        self._timer.cancel()

    def _start_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._timeout, self._transport.close)


class ConnectionMonitor:
    """Watches a server's connections.

    The asyncio protocol tells when a connection opens and closes, the ASGI app when a request begins and ends.
    """

    def __init__(self, max_connections: int, timeout: float) -> None:
        self._max_connections, self._timeout = max_connections, timeout
        self._open: dict[Client, Connection] = {}

    def protocol(self) -> type[asyncio.Protocol]:
        """The protocol class for uvicorn."""
        monitor = self

        class MonitoredProtocol(H11Protocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                self._client = monitor.add(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                monitor.remove(self._client)
                super().connection_lost(exc)

        return MonitoredProtocol

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """The app for uvicorn."""

        async def monitored(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get(tuple(scope.get("client") or ()))
            if connection is None:  # the server starts or stops
                await app(scope, receive, send)
                return
            connection.begin_request()
            try:
                await app(scope, receive, send)
            finally:
                connection.end_request()

        return monitored

    def add(self, transport: asyncio.Transport) -> Client:
        """Wait for a first request, unless too many connections are open or the other end has gone."""
        host, port = (transport.get_extra_info("peername") or ("", 0))[:2]
        if not host or len(self._open) >= self._max_connections:
            transport.abort()
        else:
            self._open[host, port] = Connection(transport, self._timeout)
        return host, port

    def remove(self, client: Client) -> None:
        """A connection has closed."""
        connection = self._open.pop(client, None)
        if connection is not None:
            connection.stop_timer()
