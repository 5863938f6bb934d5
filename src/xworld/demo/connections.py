"""Open connections: only so many, and none that is kept open without ever asking anything whole."""

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

Client = tuple[str, int]
"""The other end of a connection: its address and port."""


class Connection:
    """A connection, closed where a whole request does not come in time: who sends byte by byte gains none."""

    def __init__(self, transport: asyncio.Transport, patience: float) -> None:
        self._transport, self._patience = transport, patience
        self._requests = 0  # the next may be there before the last is quite over
        self._wait()

    def begin(self) -> None:
        """A whole request has come."""
        self._requests += 1
        self.let_be()

    def end(self) -> None:
        """It was answered; the next is waited for."""
        self._requests -= 1
        if not self._requests and not self._transport.is_closing():
            self._wait()

    def let_be(self) -> None:
        """Wait for nothing."""
        self._deadline.cancel()

    def _wait(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(self._patience, self._transport.close)


class Connections:
    """Watches over the connections of a server, by what every protocol of asyncio and every app of ASGI is told.

    The protocol tells when a connection is made and lost, the app when a request has come and when it is answered.
    """

    def __init__(self, most: int, patience: float) -> None:
        self._most, self._patience = most, patience
        self._open: dict[Client, Connection] = {}

    def protocol(self) -> type[asyncio.Protocol]:
        """The protocol of connections that are watched."""
        watch = self

        class Watched(H11Protocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                self._from = watch.welcome(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                watch.forget(self._from)
                super().connection_lost(exc)

        return Watched

    def around(self, app: ASGIApp) -> ASGIApp:
        """The app, as it is to be served on connections that are watched."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get(tuple(scope.get("client") or ()))
            if connection is None:  # the server starts or stops
                await app(scope, receive, send)
                return
            connection.begin()
            try:
                await app(scope, receive, send)
            finally:
                connection.end()

        return watched

    def welcome(self, transport: asyncio.Transport) -> Client:
        """Wait for a first request, unless too many are open already or the other end has gone."""
        host, port = (transport.get_extra_info("peername") or ("", 0))[:2]
        if not host or len(self._open) >= self._most:
            transport.abort()
        else:
            self._open[host, port] = Connection(transport, self._patience)
        return host, port

    def forget(self, client: Client) -> None:
        """A connection is lost."""
        connection = self._open.pop(client, None)
        if connection is not None:
            connection.let_be()
