"""Three servers with three copies of every stream: the leader dies, a replica is behind."""

import asyncio
import signal
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.publish import Duplicate, Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.streams import EVENTS, StreamSettings, provision
from ragsolver_runtime.testing import app_settings, said, start_run, until
from ragsolver_runtime.wire import StoredEvent
from suites.cluster import NODES, Cluster, cluster
from suites.hosted_workers import hosted, solve
from suites.soak_checks import decisions

pytestmark = [pytest.mark.connected, pytest.mark.timeout(150)]

COPIES = StreamSettings(replicas=3)
STATEMENTS = ("True", "1 = 2", "True ∧ True", "2 = 3")


class View:
    """The bus as a command sees it."""

    def __init__(self, client) -> None:
        self.client = client
        self.publisher = Publisher(client)
        self.reader = EventReader(client)


def taken(number: int, name: str):
    """An event that no worker works on."""
    return said(LlmReserved(call=number + 1, agent="echo", purpose="test"), "b", name)


async def behind(nodes: Cluster, follower: str) -> None:
    """What is there is no conflict, and no unknown run, for who asks a replica that is behind."""
    others = [port for node, port in nodes.ports.items() if node != follower]
    client = await connect(BusSettings(f"nats://127.0.0.1:{others[0]}"), "elsewhere")
    near = await connect(BusSettings(f"nats://127.0.0.1:{nodes.ports[follower]}"), "near")
    writer, publisher, reader = Publisher(client), Publisher(near), EventReader(near)
    for trial in range(3):
        run, event = f"b{trial}", taken(trial, "a")
        nodes.signal(follower, signal.SIGSTOP)
        try:
            await start_run(writer, run)
            await writer.publish(event)
            for number in range(100):
                await writer.publish(taken(100 * trial + number, "b"))
            # Both questions lie in the follower's socket when it wakes up.
            asked = asyncio.create_task(reader.run_started(run))
            later = event.model_copy(update={"time": event.time + timedelta(seconds=1)})
            again = asyncio.create_task(publisher.publish(later))
            await asyncio.sleep(0.1)
        finally:
            nodes.signal(follower, signal.SIGCONT)
        assert await asked is not None
        assert isinstance(await again, Duplicate)
    await near.close()
    await client.close()


async def test_a_run_goes_on_when_the_leader_dies_and_loses_and_doubles_nothing(
    tmp_path: Path,
) -> None:
    async with cluster(tmp_path) as nodes:
        client = await connect(BusSettings(nodes.urls), "test")
        await provision(client.jetstream(timeout=5), COPIES)
        leader = await nodes.leader(EVENTS)
        await behind(nodes, next(node for node in NODES if node != leader))
        settings = app_settings(nodes.urls, streams=COPIES, pull_timeout_s=1.0)
        bus = View(client)
        async with hosted(settings):
            calm = await solve(bus, "calm", STATEMENTS)
            leader = await nodes.leader(EVENTS)
            running = asyncio.create_task(solve(bus, "wild", STATEMENTS))
            await until(lambda: proposed(bus, "wild"))
            await nodes.kill(leader)
            wild = await running
        stored = {run: await everything(bus.reader, run) for run in ("calm", "wild")}
        await client.close()
    assert wild.outcomes == calm.outcomes == {"solved": 2, "not_proved": 2}
    assert decisions(stored["wild"]) == decisions(stored["calm"])
    assert max(Counter(event.id for event in stored["wild"]).values()) == 1


async def proposed(bus: View, run: str) -> bool:
    """Whether the run is in its middle."""
    return any(e.name == "candidate_proposed" for e in await everything(bus.reader, run))


async def everything(reader: EventReader, run: str):
    """Every message of a run, doubled ones as well."""
    return [s.event async for s in reader.stored_of_run(run) if isinstance(s, StoredEvent)]
