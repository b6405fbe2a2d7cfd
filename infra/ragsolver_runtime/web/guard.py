"""What every request must satisfy and every answer carries.

The page only reads, so anything but GET and HEAD is refused. A name in `Host` that is not ours is
refused: a foreign site could otherwise point its own name at this machine (DNS rebinding) and read
the page through a visitor's browser. Addresses and `localhost` cannot be rebound.
"""

import ipaddress
from collections.abc import Iterable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""No inline script or style, nothing from elsewhere, and no text is ever parsed as HTML."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


def host_name(host: str) -> str:
    """The name in a `Host` header, without its port; empty where there is none."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


def is_address(name: str) -> bool:
    """Whether it is an IP address, which nobody can point elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a socket that is bound there."""
    if host == "localhost":
        return True
    return is_address(host) and ipaddress.ip_address(host).is_loopback


class Guard:
    """ASGI middleware: methods, hosts, headers."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = frozenset({"localhost", *(name.lower().rstrip(".") for name in names)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def _send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope["method"], Headers(scope=scope))
        await (refusal or self._app)(scope, receive, _send)

    def _refusal(self, method: str, headers: Headers) -> PlainTextResponse | None:
        if method not in {"GET", "HEAD"}:
            return PlainTextResponse("read only", status_code=405, headers={"allow": "GET, HEAD"})
        name = host_name(headers.get("host", ""))
        if name not in self._names and not is_address(name):
            said = "this page does not go by that name; start it with --allow-host NAME"
            return PlainTextResponse(said, status_code=421)
        if headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") in {
            "cors",
            "no-cors",
            "websocket",
        }:
            return PlainTextResponse("not for other sites", status_code=403)
        return None
