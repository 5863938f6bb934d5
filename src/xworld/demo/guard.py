"""Who may ask, and what every answer says of itself: checks and headers around the whole server."""

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xworld.demo.errors import FORBIDDEN

LOOPBACK = "localhost", "127.0.0.1", "::1"
"""How a browser on this machine calls it."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets requests through that call the server by one of its names, and come from its own page or from none.

    Another site could otherwise point a name of its own at this machine, or have its visitors' browsers ask here.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None = LOOPBACK) -> None:
        """Around an app; the names of this server, or None where any will do."""
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and put the headers on what comes back."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        complaint = self._complaint(Headers(scope=scope))
        answer = JSONResponse({"error": complaint}, FORBIDDEN) if complaint else self.app
        await answer(scope, receive, send_with_headers)

    def _complaint(self, headers: Headers) -> str | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self.hosts is not None and host_name(host) not in self.hosts:
            return f"This server is not called {host[:100]!r}; open it as localhost, or start it with --host."
        if origin is not None and host_of_origin(origin) != host.lower():
            return "This request comes from another site."
        return None


def host_name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> host_name("localhost:8000"), host_name("[::1]:8000"), host_name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def host_of_origin(origin: str) -> str:
    """The host and port of an origin; nothing where it has none.

    >>> host_of_origin("http://localhost:8000"), host_of_origin("null")
    ('localhost:8000', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
