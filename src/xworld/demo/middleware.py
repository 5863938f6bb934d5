"""Security around every answer: headers, and no requests from pages of other sites."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xworld.demo.errors import FORBIDDEN

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
    """Refuses requests from pages of other sites, and adds headers to every answer."""

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
        refusal = JSONResponse({"error": "This request comes from another site."}, FORBIDDEN)
        await (refusal if foreign else self.app)(scope, receive, send_with_headers)


def _is_foreign(headers: Headers) -> bool:
    """Whether a request has an origin that is not this server."""
    try:
        origin = headers.get("origin")
        return origin is not None and urlsplit(origin).netloc.lower() != headers.get("host", "").lower()
    except ValueError:
        return True
