import asyncio
import socket

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.web.serving import WebSettings, listen, served, url_of, warnings_of
from ragsolver_runtime.web.source import opener_on
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, sample_run

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound to it


async def fetched(url: str, path: str) -> bytes:
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    found = await reader.read()
    writer.close()
    return found


async def test_the_page_is_there_for_the_block() -> None:
    opener = opener_on(MemoryBus(sample_run()))  # type: ignore[arg-type]
    async with asyncio.timeout(20), served(WebSettings(), opener) as url:
        assert b"<title>RagSolver</title>" in await fetched(url, "/")
        assert b'"solved":1' in await fetched(url, f"/api/run?run={RUN}")
    with pytest.raises(OSError, match="onnect"):
        await fetched(url, "/")


async def test_readers_of_a_stream_do_not_hold_up_the_end() -> None:
    opener = opener_on(MemoryBus(sample_run()))  # type: ignore[arg-type]
    async with asyncio.timeout(20), served(WebSettings(), opener) as url:
        while b'"solved":1' not in await fetched(url, f"/api/run?run={RUN}"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        streaming = asyncio.create_task(fetched(url, f"/api/stream?run={RUN}"))
        await asyncio.sleep(0.05)
        assert not streaming.done()
    assert b"event: end" in await streaming


def test_an_address_in_use_is_told() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(ConfigError, match="--port"),
    ):
        listen("127.0.0.1", taken.getsockname()[1])


def test_what_to_type() -> None:
    assert url_of("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert url_of(EVERYWHERE, 80) == "http://127.0.0.1:80/"
    assert url_of("::1", 80) == "http://[::1]:80/"
    assert url_of("::", 80) == "http://[::1]:80/"


def test_a_warning_where_others_can_read() -> None:
    assert warnings_of(WebSettings()) == ()
    (said,) = warnings_of(WebSettings(host=EVERYWHERE))
    assert "no password" in said
