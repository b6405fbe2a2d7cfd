"""Small runs on worker processes and a server that are killed and stopped at every stage."""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from nats.js.errors import NotFoundError

from ragsolver_contracts.problem import SubmitReply
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.connect import connect
from ragsolver_runtime.problem_files import FileInput, read_inputs
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.roles import worker_processes
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import start_run
from ragsolver_runtime.server import EmbeddedServer, ServerSettings
from ragsolver_runtime.settings import URL_VARIABLE, BusTable
from ragsolver_runtime.solving import until_ended
from ragsolver_runtime.streams import EVENTS, INPUT, INTAKE_DURABLE, provision
from ragsolver_runtime.submission import post_input
from ragsolver_runtime.supervisor import Supervisor, SupervisorSettings
from ragsolver_runtime.tasks import end
from ragsolver_runtime.testing import until
from ragsolver_runtime.trace import export_run
from ragsolver_runtime.trace_verify import verify_trace
from ragsolver_runtime.wire import StoredEvent
from suites.recorded_progress import RecordedProgress
from suites.sample_run import VERSIONS
from suites.simulated_house import ROLES, House
from suites.soak_checks import Decision, Found, Ledger, check, decisions
from suites.soak_plan import AUTHOR, BOTH, CONSUMER, PAUSE, SERVER, VICTIMS, Strike
from suites.soaked_workers import LEDGER

STATEMENTS = ("True", "1 = 2", "(0 : ℝ) = 0")
"""Proved, not proved, refused."""
RUN_LIMIT_S = 90.0
_MODEL = ("model.provider=echo", "model.echo_delay_s=0.03", "bus.watchdog_s=1")
_ALWAYS_AGAIN = SupervisorSettings(first_delay_s=0.05, max_delay_s=0.05, max_short_lives=10**9)
_PID_S = 15.0


class Servers(Protocol):
    """What holds the stream."""

    url: str
    replicas: int

    async def kill(self) -> None:
        """`kill -9` the server that leads, and see that it is started again."""

    async def pause(self, seconds: float) -> None:
        """It hangs for a while, with its sockets open."""


@dataclass
class OneServer:
    """The embedded server, which starts itself again."""

    server: EmbeddedServer
    replicas: int = 1

    @property
    def url(self) -> str:
        """Of the server."""
        return self.server.url

    async def kill(self) -> None:
        """`kill -9`."""
        os.kill(self.server.pid, signal.SIGKILL)

    async def pause(self, seconds: float) -> None:
        """SIGSTOP, SIGCONT."""
        pid = self.server.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(pid, signal.SIGCONT)


@dataclass
class Soaked:
    """What all runs came to."""

    found: list[Found] = field(default_factory=list)
    strikes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By stage and victim; `paused` for a server that hung."""
    seconds: list[float] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """Of every run."""
        return [said for found in self.found for said in found.wrong]


@dataclass
class Soak:
    """One installation on one bus; open one with `opened`."""

    house: House
    servers: Servers
    supervisor: Supervisor
    bus: Bus
    inputs: list[FileInput]
    ledger: Path
    soaked: Soaked = field(default_factory=Soaked)
    calm: Counter[Decision] = field(default_factory=Counter)

    async def calm_run(self, run_id: str) -> None:
        """An undisturbed run, with which the others are compared."""
        await self._run(run_id, ())
        stored = await self._stored(run_id)
        self.calm = decisions(item.event for item in stored if isinstance(item, StoredEvent))
        await self._judge(run_id, [])

    async def run(self, run_id: str, strikes: tuple[Strike, ...]) -> Found:
        """One run under strikes, checked."""
        began = time.monotonic()
        replies = await self._run(run_id, strikes)
        self.soaked.seconds.append(time.monotonic() - began)
        return await self._judge(run_id, replies)

    async def _run(self, run_id: str, strikes: tuple[Strike, ...]) -> list[SubmitReply]:
        replies: list[SubmitReply] = []

        async def _post() -> set[str]:
            for item in self.inputs:
                message = item.message(run_id)
                replies.append(await post_input(self.bus.client, message, run_id=run_id))
            return {reply.problem_id for reply in replies}

        striking = [asyncio.create_task(self._strike(run_id, strike)) for strike in strikes]
        try:
            async with asyncio.timeout(RUN_LIMIT_S):
                config = RunConfig(name="soak")
                await start_run(self.bus.publisher, run_id, config, VERSIONS, len(self.inputs))
                await until_ended(self.bus, _post(), RunView(run_id), RecordedProgress())
        except TimeoutError:
            pass  # what did not end is found in the stream
        finally:
            await end(*striking)
            for task in striking:
                if not task.cancelled():
                    task.result()
        return replies

    async def _strike(self, run_id: str, strike: Strike) -> None:
        seen = 0
        async for stored in EventReader(self.bus.client).follow_run(run_id):
            seen += isinstance(stored, StoredEvent) and stored.event.name == strike.stage
            if seen == strike.number and isinstance(stored, StoredEvent):
                break
        else:
            return
        await asyncio.sleep(strike.delay_s)
        author = stored.event.role
        worker = VICTIMS[strike.stage] or author
        await self._hit(strike, author if strike.what == AUTHOR else worker)

    async def _hit(self, strike: Strike, role: str) -> None:
        if strike.what == PAUSE:
            self.soaked.strikes[strike.stage, "paused"] += 1
            await self.servers.pause(strike.pause_s)
            return
        if strike.what == CONSUMER:
            self.soaked.strikes[strike.stage, "consumer"] += await self._delete_consumer(role)
            return
        if strike.what in {SERVER, BOTH}:
            self.soaked.strikes[strike.stage, SERVER] += 1
            await self.servers.kill()
        if strike.what != SERVER and role in {*ROLES, "intake"}:
            await self._kill_worker(role)
            self.soaked.strikes[strike.stage, role] += 1

    async def _delete_consumer(self, role: str) -> bool:
        """Its processes end with a code of their own, and it is made again when they start."""
        js = self.bus.client.jetstream(timeout=5)
        where = (INPUT, INTAKE_DURABLE) if role == "intake" else (EVENTS, role)
        try:
            return bool(await js.delete_consumer(*where))
        except NotFoundError:
            return False  # its worker was killed before it had made it

    async def _kill_worker(self, role: str) -> None:
        """As soon as there is one: it may be on its way up from the strike before."""
        name = f"{role}-1"
        await until(lambda: name in self.supervisor.pids, timeout_s=_PID_S)
        with suppress(ProcessLookupError):  # it has just ended by itself
            os.kill(self.supervisor.pids[name], signal.SIGKILL)

    async def _stored(self, run_id: str) -> list[object]:
        return [item async for item in EventReader(self.bus.client).stored_of_run(run_id)]

    async def _judge(self, run_id: str, replies: list[SubmitReply]) -> Found:
        stored = await self._stored(run_id)
        found = check(run_id, stored, Ledger.read(self.ledger), replies, self.calm)  # type: ignore[arg-type]
        trace = self.house.root / f"{run_id}.jsonl"
        lines = [line async for line in export_run(EventReader(self.bus.client), run_id)]
        trace.write_text("\n".join(map(str, lines)) + "\n", encoding="utf-8")
        checked = verify_trace(trace)
        found.faults += [f"{f.rule} at {f.where}: {f.message}" for f in checked.faults]
        found.faults += [] if "run_finished" in trace.read_text() else ["no run_finished"]
        self.soaked.found.append(found)
        return found


@asynccontextmanager
async def one_server(root: Path) -> AsyncIterator[OneServer]:
    """An embedded server that may die as often as it likes."""
    settings = ServerSettings(data_dir=root / "bus", max_restarts_per_minute=10**9)
    async with EmbeddedServer(settings) as server:
        yield OneServer(server)


@asynccontextmanager
async def opened(root: Path, servers: Servers) -> AsyncIterator[Soak]:
    """Intake and six workers as processes on the servers, for the block."""
    house = House(
        root / "house",
        work_s=0.03,
        real={role: f"suites.soaked_workers:{role.upper()}" for role in ROLES},
    )
    ledger = root / "ledger"
    house.env |= {
        LEDGER: str(ledger),
        URL_VARIABLE: servers.url,
        "RAGSOLVER_BUS__REPLICAS": str(servers.replicas),
    }
    inputs = list(read_inputs(house.problems(*STATEMENTS)))
    app = BusTable(replicas=servers.replicas).app(servers.url)
    client = await connect(app.bus, "soak")
    try:
        await provision(client.jetstream(timeout=5), app.streams)
        counts = dict.fromkeys(("intake", *ROLES), 1)
        plain = house.config[1]
        specs = worker_processes(counts, _MODEL, root / "logs", plain)
        async with Supervisor(specs, _ALWAYS_AGAIN, house.env) as supervisor:
            bus = Bus(servers.url, client, Publisher(client), EventReader(client), app)
            yield Soak(house, servers, supervisor, bus, inputs, ledger)
    finally:
        await client.close()
