import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ragsolver_runtime.errors import BusError
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.tasks import end
from ragsolver_runtime.web import source as source_module
from ragsolver_runtime.web.source import (
    BusSource,
    NoBusError,
    opener_of,
    opener_on,
    shown_url,
)
from ragsolver_runtime.workspace import Workspace
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import RUN, sample_run


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "AGAIN_S", 0.01)


async def until(condition) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - several things are waited for
            await asyncio.sleep(0.005)


async def test_a_bus_that_ended_is_looked_for_again() -> None:
    buses, opened = [MemoryBus(sample_run()), MemoryBus(sample_run())], []
    ends = [asyncio.Event(), asyncio.Event()]

    @asynccontextmanager
    async def _open():
        number = len(opened)
        opened.append(number)
        yield buses[number], ends[number].wait()

    source = BusSource(_open)  # type: ignore[arg-type]
    with pytest.raises(NoBusError, match="looking for a bus"):
        _ = source.bus
    looking = asyncio.create_task(source.run())
    await until(lambda: opened == [0])
    feed = await source.feeds.feed(RUN)
    assert source.bus is buses[0]  # type: ignore[comparison-overlap]
    ends[0].set()
    await until(lambda: opened == [0, 1])
    assert feed is not None
    assert feed.closed
    assert await source.feeds.feed(RUN) is not feed
    await end(looking)
    with pytest.raises(NoBusError):
        _ = source.feeds


async def test_why_there_is_none_is_said(tmp_path: Path) -> None:
    source = BusSource(opener_of(None, Workspace(tmp_path / "none"), BusTable()))
    looking = asyncio.create_task(source.run())
    await until(lambda: "no run was ever made" in source.problem)
    with pytest.raises(NoBusError, match="ragsolver up"):
        _ = source.bus
    await end(looking)


async def test_the_bus_on_the_data_folder_is_left_when_another_one_runs_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(tmp_path)
    workspace.write_endpoint("nats://first", "up")
    monkeypatch.setattr(source_module, "connected", opens(MemoryBus()))
    async with opener_of(None, workspace, BusTable())() as (_, gone):
        waiting = asyncio.ensure_future(gone)
        await asyncio.sleep(0.03)
        assert not waiting.done()
        workspace.write_endpoint("nats://second", "up")
        async with asyncio.timeout(5):
            await waiting


async def test_a_bus_that_is_open_already() -> None:
    bus = MemoryBus()
    async with opener_on(bus)() as (found, gone):  # type: ignore[arg-type]
        assert found is bus  # type: ignore[comparison-overlap]
        waiting = asyncio.ensure_future(gone)
        await asyncio.sleep(0.03)
        assert not waiting.done()
        await end(waiting)


async def test_a_data_folder_in_use_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bus" / "jetstream").mkdir(parents=True)

    @asynccontextmanager
    async def _taken(*_, **__):
        raise BusError("in use")
        yield

    monkeypatch.setattr(source_module, "embedded", _taken)
    source = BusSource(opener_of(None, Workspace(tmp_path), BusTable()))
    looking = asyncio.create_task(source.run())
    await until(lambda: source.problem == "in use")
    await end(looking)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("nats://user:secret@host:4222", "nats://host:4222"),
        ("nats://[::1]:4222", "nats://[::1]:4222"),
        ("tls://host", "tls://host"),
        ("memory", "memory"),
        ("nats://a:secret@x:1,nats://y:2", "nats://x:1, nats://y:2"),
    ],
)
def test_secrets_are_not_shown(url: str, shown: str) -> None:
    assert "secret" not in shown_url(url)
    assert shown_url(url) == shown
