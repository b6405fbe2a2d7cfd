"""As much HTTP/1.1 as a test server needs: whole requests in, whole or chunked answers out."""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

REASONS = {200: "OK", 307: "Temporary Redirect", 400: "Bad Request", 401: "Unauthorized"}


@dataclass
class HttpRequest:
    """A request, read to its end; header names are lower-case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """The next request of a connection; none: the client has closed it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    headers = {name.strip().lower(): value.strip() for name, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return HttpRequest(method, target.split("?")[0], headers, body)


@dataclass
class Reply:
    """The answer to one request."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(
        self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None
    ) -> None:
        """A whole answer."""
        await self._head(status, kind, {"content-length": str(len(body)), **(headers or {})})
        self.writer.write(body)
        await self.writer.drain()

    async def json(
        self, status: int, value: dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        """A whole answer in JSON."""
        await self.send(status, "application/json", json.dumps(value).encode(), headers)

    async def error(
        self, status: int, kind: str, message: str, headers: dict[str, str] | None = None
    ) -> None:
        """An error as the Messages API says it."""
        said = {"type": "error", "error": {"type": kind, "message": message}}
        await self.json(status, said, headers)

    async def begin_stream(self) -> None:
        """The head of a stream of events."""
        await self._head(
            200,
            "text/event-stream; charset=utf-8",
            {"transfer-encoding": "chunked", "request-id": "req_1"},
        )

    async def chunk(self, data: bytes) -> None:
        """A piece of the stream."""
        self.writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        await self.writer.drain()
        await asyncio.sleep(0)

    async def end_stream(self) -> None:
        """The stream is complete."""
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    def cut(self) -> None:
        """Breaks the connection."""
        self.writer.transport.abort()

    async def pause(self, seconds: float) -> None:
        """Waits, unless the client goes.

        Raises:
            ConnectionResetError: it went.
        """
        if not seconds:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.reader.read(1)
                raise ConnectionResetError("the client closed the connection")

    async def until_closed(self) -> None:
        """Says nothing more, until the client goes."""
        with suppress(ConnectionError):
            while await self.reader.read(1024):
                pass

    async def _head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Something')}", f"content-type: {kind}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        await self.writer.drain()
