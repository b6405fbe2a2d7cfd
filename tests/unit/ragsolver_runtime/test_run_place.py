import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from ragsolver_runtime import run_place
from ragsolver_runtime.run_place import RunPlace
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.workspace import Workspace
from suites.memory_bus import MemoryBus, opens


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus()
    for name in ("embedded", "connected"):
        monkeypatch.setattr(run_place, name, opens(made))
    return made


@pytest.fixture
def place(tmp_path: Path) -> RunPlace:
    return RunPlace(
        workspace=Workspace(tmp_path),
        url=None,
        table=BusTable(),
        counts={},
        worker_settings=(),
        start_workers=True,
        console=Console(file=io.StringIO()),
    )


async def test_what_up_runs_is_used(place: RunPlace) -> None:
    place.workspace.write_endpoint("nats://127.0.0.1:1", "up")
    found = await place.ready()
    assert (found.url, found.start_workers) == ("nats://127.0.0.1:1", False)
    assert "nats://127.0.0.1:1" in place.console.file.getvalue()


@pytest.mark.parametrize("start", [True, False])
async def test_parts_are_set_up_where_workers_are_started(
    place: RunPlace, monkeypatch: pytest.MonkeyPatch, start: bool
) -> None:
    set_up = []

    async def _set_up(console: Console) -> None:
        set_up.append(console)

    monkeypatch.setattr(run_place, "set_up_parts", _set_up)
    asked = replace(place, start_workers=start)
    assert await asked.ready() == asked
    assert bool(set_up) is start


async def test_another_bus_that_was_named_is_kept(place: RunPlace) -> None:
    place.workspace.write_endpoint("nats://127.0.0.1:1", "up")
    named = replace(place, url="nats://elsewhere:4222", start_workers=False)
    assert await named.ready() == named


async def test_others_find_an_embedded_bus_while_it_runs(
    place: RunPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    @asynccontextmanager
    async def _embedded(*given: Any) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace(url="nats://127.0.0.1:2", server=object())

    monkeypatch.setattr(run_place, "embedded", _embedded)
    with suppress(ValueError):
        async with place.bus("test") as bus:
            found = place.workspace.endpoint()
            assert found is not None
            assert (found.url, found.kind) == (bus.url, "solve")
            raise ValueError
    assert place.workspace.endpoint() is None


async def test_no_workers_are_started_where_others_run(place: RunPlace, bus: MemoryBus) -> None:
    asked = replace(place, start_workers=False)
    async with asked.bus("test") as opened, asked.workers(opened, Path(), "full") as supervisor:
        assert supervisor is None
