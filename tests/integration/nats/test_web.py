"""The page's server on a real bus: places in the stream, buses that come and go."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ragsolver_contracts.testing import problem
from ragsolver_runtime.bus_session import Bus, embedded
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.testing import start_run, submit_problem
from ragsolver_runtime.web.serving import WebSettings, served
from ragsolver_runtime.web.source import opener_of
from ragsolver_runtime.workspace import Workspace

pytestmark = [pytest.mark.connected, pytest.mark.timeout(90)]


@asynccontextmanager
async def request(url: str, path: str, *headers: str) -> AsyncIterator[asyncio.StreamReader]:
    host, _, port = url.removeprefix("http://").rstrip("/").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
    writer.write("\r\n".join(lines).encode())
    try:
        yield reader
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def asked(url: str, path: str) -> Any:
    """The JSON answer; none while there is no bus."""
    async with request(url, path) as reader:
        raw = await reader.read()
    head, _, body = raw.partition(b"\r\n\r\n")
    return json.loads(body) if b" 200 " in head.split(b"\r\n")[0] else None


async def eventually(url: str, path: str) -> Any:
    async with asyncio.timeout(40):
        while (found := await asked(url, path)) is None:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.1)
    return found


async def lines(url: str, count: int, last: int = 0) -> list[dict[str, Any]]:
    """Events of the stream after a place, as a browser reads them again after a cut."""
    found: list[dict[str, Any]] = []
    place = f"Last-Event-ID: {last}"
    async with asyncio.timeout(40), request(url, "/api/stream?run=r1", place) as reader:
        while len(found) < count:
            text = (await reader.readline()).decode()
            if text.startswith("data: ") and '"seq"' in text:
                found.append(json.loads(text.removeprefix("data: ")))
    return found


@asynccontextmanager
async def running(workspace: Workspace) -> AsyncIterator[Bus]:
    """A bus on the data folder, as `solve` runs it."""
    async with embedded(workspace, BusTable(), "test") as bus:
        workspace.write_endpoint(bus.url, "solve")
        try:
            yield bus
        finally:
            workspace.clear_endpoint()


async def submit(bus: Bus, *numbers: int) -> None:
    for number in numbers:
        await submit_problem(bus.publisher, "r1", problem(f"p{number}"))


async def test_the_page_outlives_the_buses_that_it_looks_at(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    async with served(WebSettings(), opener_of(None, workspace, BusTable())) as url:
        assert "no run was ever made" in (await asked(url, "/api/state"))["problem"]
        assert await asked(url, "/api/runs") is None
        async with running(workspace) as bus:
            await start_run(bus.publisher, "r1")
            await submit(bus, 1, 2)
            assert [run["run"] for run in await eventually(url, "/api/runs")] == ["r1"]
            first = await lines(url, 3)
            await submit(bus, 3, 4)
            rest = await lines(url, 2, last=first[-1]["seq"])
            assert [line["problem"] for line in first + rest] == ["", "p1", "p2", "p3", "p4"]
            open_stream = asyncio.create_task(lines(url, 2, last=rest[-1]["seq"]))
            await submit(bus, 5, 6)
            assert [line["problem"] for line in await open_stream] == ["p5", "p6"]
        # Nothing runs there now: the page reads the folder by itself.
        async with asyncio.timeout(40):
            while (await asked(url, "/api/state")).get("kind") != "data folder":  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        page = await eventually(url, "/api/problems?run=r1")
        assert page["counts"]["open"] == 6
        assert [line["problem"] for line in await lines(url, 1, last=rest[-1]["seq"])] == ["p5"]


async def test_many_readers_of_a_run_and_one_that_is_slow(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    async with (
        running(workspace) as bus,
        served(WebSettings(), opener_of(None, workspace, BusTable())) as url,
    ):
        await start_run(bus.publisher, "r1")
        await eventually(url, "/api/run?run=r1")
        count = 300
        async with request(url, "/api/stream?run=r1") as slow:
            await submit(bus, *range(count))
            every = await asyncio.gather(*(lines(url, count + 1) for _ in range(20)))
            wanted = [f"p{number}" for number in range(count)]
            assert all([line["problem"] for line in one][1:] == wanted for one in every)
            seen = 0
            async with asyncio.timeout(40):
                while seen < count + 1:
                    seen += (await slow.readline()).startswith(b"event: line")
