"""A real server of its own for every test, with the streams provisioned and a run started."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext

from ragsolver_contracts import subjects
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.testing import problem
from ragsolver_runtime.connect import connect
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.server import EmbeddedServer
from ragsolver_runtime.settle import ConsumeSettings
from ragsolver_runtime.streams import EVENTS, provision
from ragsolver_runtime.testing import app_settings, isolated_server, start_run, submit_problem
from suites.secured_bus import SecuredBus, start, stop, until_up


@dataclass(frozen=True)
class Bus:
    """One server and a client's view of it; the run `r1` is started."""

    server: EmbeddedServer
    client: Client
    js: JetStreamContext
    publisher: Publisher
    reader: EventReader
    settings: AppSettings

    async def submit(self, name: str) -> AnyEvent:
        """Publish `problem_submitted` of a small problem in run `r1`."""
        return await submit_problem(self.publisher, "r1", problem(name))

    async def names(self, problem_id: str) -> list[str]:
        """Event names of one problem of run `r1`, in order."""
        return [event.name for event in await self.reader.read_problem("r1", problem_id)]

    async def doubled(self) -> list[str]:
        """Subjects with more than one message; a read of a problem shows each subject's last."""
        info = await self.js.stream_info(EVENTS, subjects_filter=subjects.EVENTS_ALL)
        return [subject for subject, n in (info.state.subjects or {}).items() if n > 1]


@pytest.fixture
async def bus() -> AsyncIterator[Bus]:
    async with isolated_server() as server:
        settings = app_settings(
            server.url,
            consume=ConsumeSettings(first_delay_s=0.1, longest_delay_s=1.0),
            pull_timeout_s=0.5,
            watchdog_s=0.2,
            drain_s=1.0,
        )
        client = await connect(settings.bus, "test")
        try:
            js = client.jetstream(timeout=5)
            await provision(js, settings.streams)
            publisher, reader = Publisher(client), EventReader(client)
            await start_run(publisher, "r1")
            yield Bus(server, client, js, publisher, reader, settings)
        finally:
            await client.close()


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecuredBus]:
    """A server over TLS with a user per role; not provisioned yet."""
    bus = start(tmp_path_factory.mktemp("secured") / "bus")
    try:
        asyncio.run(until_up(bus))
        yield bus
    finally:
        stop(bus)
