"""A small HTTP server for probes and scrapes: `/healthz` and `/metrics`, nothing else.

It listens on a port, or on a socket file where another process of the same machine asks.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ragsolver_runtime.errors import ConfigError

_log = logging.getLogger(__name__)

_REQUEST_S = 5.0
_LONGEST_HEAD = 8192
_AT_ONCE = 32
_PLAIN = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class Page:
    """What is answered."""

    status: int
    text: str
    content_type: str = _PLAIN


Pages = dict[str, Callable[[], Awaitable[Page]]]
"""What answers, by path."""

_REASONS = {200: "OK", 404: "Not Found", 405: "Method Not Allowed", 503: "Service Unavailable"}


class Endpoint:
    """Answers GET and HEAD of a few pages, one request a connection."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._open = asyncio.Semaphore(_AT_ONCE)

    @asynccontextmanager
    async def on_port(self, host: str, port: int) -> AsyncIterator[int]:
        """Serve on a port for the block; gives the port, which the system chooses for 0.

        Raises:
            ConfigError: the port cannot be had.
        """
        try:
            server = await asyncio.start_server(self._serve, host, port, limit=_LONGEST_HEAD)
        except OSError as error:
            raise ConfigError(
                f"metrics cannot be served on {host}:{port} ({error.strerror or error}): choose "
                "another --metrics-port, or --metrics-host"
            ) from error
        async with server:
            yield int(server.sockets[0].getsockname()[1])

    @asynccontextmanager
    async def on_socket(self, path: Path) -> AsyncIterator[None]:
        """Serve on a socket file for the block.

        Raises:
            ConfigError: the file cannot be made.
        """
        try:
            server = await asyncio.start_unix_server(self._serve, path, limit=_LONGEST_HEAD)
        except OSError as error:
            raise ConfigError(f"metrics cannot be served on socket {path}: {error}") from error
        async with server:
            yield

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(TimeoutError, OSError, ValueError, asyncio.IncompleteReadError):
            async with asyncio.timeout(_REQUEST_S), self._open:
                head = await reader.readuntil(b"\r\n\r\n")
                method, path = head.split(None, 2)[:2]
                page = await self._page(method, path.decode("latin-1").partition("?")[0])
                body = page.text.encode()
                writer.write(
                    f"HTTP/1.1 {page.status} {_REASONS[page.status]}\r\n"
                    f"Content-Type: {page.content_type}\r\n"
                    f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
                )
                if method != b"HEAD":
                    writer.write(body)
                await writer.drain()
        writer.close()

    async def _page(self, method: bytes, path: str) -> Page:
        if method not in {b"GET", b"HEAD"}:
            return Page(405, "only GET\n")
        answer = self._pages.get(path)
        if answer is None:
            return Page(404, f"there is {', '.join(self._pages)}\n")
        return await answer()


async def ask(socket: Path, path: str) -> Page:
    """What the endpoint on a socket file answers.

    Raises:
        OSError: nobody listens there, or it breaks off.
        TimeoutError: it takes too long.
    """
    async with asyncio.timeout(_REQUEST_S):
        reader, writer = await asyncio.open_unix_connection(socket)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: local\r\n\r\n".encode())
            await writer.drain()
            whole = await reader.read()
        finally:
            writer.close()
    head, _, body = whole.partition(b"\r\n\r\n")
    status = head.split(None, 2)[1:2]
    if not status or not status[0].isdigit():
        raise ConnectionResetError(f"{socket} broke off")
    return Page(int(status[0]), body.decode())
