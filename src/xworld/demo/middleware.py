"""Security around every answer: headers, and only requests that are meant for this server."""

import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xworld.demo.errors import BAD_REQUEST, FORBIDDEN

_LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)
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


class SecurityMiddleware:
    """Refuses requests from other sites' pages or under a foreign name, and adds headers to every answer."""

    def __init__(self, app: ASGIApp, any_host: bool) -> None:
        self.app, self._any_host = app, any_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        answer = self.app
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if not self._any_host and not _LOOPBACK.fullmatch(headers.get("host", "")):
                answer = JSONResponse({"error": "This demo only answers to localhost and 127.0.0.1."}, BAD_REQUEST)
            elif _is_foreign(headers):
                answer = JSONResponse({"error": "This request comes from another site."}, FORBIDDEN)
        await answer(scope, receive, send_with_headers)


def _is_foreign(headers: Headers) -> bool:
    """Whether a request has an origin that is not this server."""
    try:
        origin = headers.get("origin")
        return origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
    except ValueError:
        return True
