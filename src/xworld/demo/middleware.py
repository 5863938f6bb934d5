"""Security around every answer: headers, and no requests from other sites' pages."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xworld.demo.errors import FORBIDDEN

LOOPBACK = "localhost", "127.0.0.1", "[::1]"
"""How a browser on this machine names it."""

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class SameOriginMiddleware:
    """Refuses requests that a page of another site makes, and adds security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        foreign = scope["type"] == "http" and _is_foreign(Headers(scope=scope))
        answer = JSONResponse({"error": "This request comes from another site."}, FORBIDDEN) if foreign else self.app
        await answer(scope, receive, send_with_headers)


def _is_foreign(headers: Headers) -> bool:
    """Whether a request has an origin that is not this server.

    >>> _is_foreign(Headers({"host": "localhost:8000", "origin": "http://localhost:8000"}))
    False
    >>> _is_foreign(Headers({"host": "localhost:8000", "origin": "null"}))
    True
    """
    try:
        origin = headers.get("origin")
        return origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
    except ValueError:
        return True
