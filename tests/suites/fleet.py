"""Simulated workers as processes of their own on a real server, watched from outside."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from nats.aio.client import Client
from nats.aio.msg import Msg

from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import problem
from ragsolver_runtime.connect import connect
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.streams import EVENTS, provision
from ragsolver_runtime.testing import app_settings, isolated_server, start_run, submit_problem
from suites.simulated_house import House

RUN = "r1"
_ENDS = ("rs.v1.problem_solved.>", "rs.v1.problem_failed.>")


@dataclass
class Fleet:
    """A bus with worker processes; the run `r1` is started."""

    client: Client
    publisher: Publisher
    server: psutil.Process
    workers: dict[str, list[psutil.Process]]
    ended: list[float] = field(default_factory=list)
    """When each problem ended, on the monotonic clock."""
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    async def post(self, count: int) -> None:
        """Problems p0, p1, …, as the intake would store them."""
        for number in range(count):
            asked = problem(f"p{number}", formal_statement=f"theorem p{number} : True")
            await submit_problem(self.publisher, RUN, asked)

    async def until_ended(self, count: int, timeout_s: float) -> None:
        """Wait until so many problems have ended."""
        async with asyncio.timeout(timeout_s):
            while len(self.ended) < count:
                self.heard.clear()
                await self.heard.wait()

    async def backlogs(self) -> dict[str, int]:
        """Events that wait, by durable."""
        found = await self.client.jetstream(timeout=5).consumers_info(EVENTS)
        return {info.name: info.num_pending or 0 for info in found}

    def processor_s(self) -> dict[str, list[float]]:
        """Seconds of processor time so far: of the server, and of each process of a role."""
        groups = {"server": [self.server], **self.workers}
        return {
            name: [sum(process.cpu_times()[:2]) for process in group]
            for name, group in groups.items()
        }


@asynccontextmanager
async def fleet(
    folder: Path,
    counts: Mapping[str, int],
    work_s: Mapping[str, float],
    *,
    real: Mapping[str, str] | None = None,
    flags: tuple[str, ...] = (),
) -> AsyncIterator[Fleet]:
    """Workers take deliveries inside the block.

    Args:
        folder: for their output; empty.
        counts: processes by role.
        work_s: what a decision of a role takes; roles without are as fast as they can be.
        real: entry points of roles that are not the simulated ones.
        flags: further arguments of every worker.
    """
    house = House(folder, real=dict(real or {}))
    house.env |= {f"SIMULATED_{role.upper()}_S": str(s) for role, s in work_s.items()}
    async with isolated_server() as server:
        client = await connect(app_settings(server.url).bus, "fleet")
        started: list[subprocess.Popen[bytes]] = []
        try:
            await provision(client.jetstream(timeout=10))
            publisher = Publisher(client)
            await start_run(publisher, RUN, RunConfig(name="sim"))
            roles = [role for role, count in counts.items() for _ in range(count)]
            started.extend(_start(house, role, server.url, *flags) for role in roles)
            processes: dict[str, list[psutil.Process]] = {role: [] for role in counts}
            for role, child in zip(roles, started, strict=True):
                processes[role].append(psutil.Process(child.pid))
            found = Fleet(client, publisher, psutil.Process(server.pid), processes)
            await _all_pull(found, counts)
            await _hear_ends(found)
            yield found
        finally:
            await client.close()
            _stop(started)


def _start(house: House, role: str, url: str, *flags: str) -> subprocess.Popen[bytes]:
    with (house.root / "workers.log").open("ab") as log:
        return subprocess.Popen(
            house.command("worker", role, "--nats", url, *flags),
            env=house.env,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


async def _all_pull(found: Fleet, counts: Mapping[str, int]) -> None:
    """Wait until every process waits for a delivery."""
    js = found.client.jetstream(timeout=5)
    async with asyncio.timeout(240):
        while True:
            infos = {i.name: i.num_waiting or 0 for i in await js.consumers_info(EVENTS)}
            if all(infos.get(role, 0) >= count for role, count in counts.items()):
                return
            await asyncio.sleep(0.1)


async def _hear_ends(found: Fleet) -> None:
    async def _heard(_: Msg) -> None:
        found.ended.append(time.monotonic())
        found.heard.set()

    for subject in _ENDS:
        await found.client.subscribe(subject, cb=_heard)


def _stop(started: list[subprocess.Popen[bytes]]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        for child in started:
            if child.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, number)
        deadline = time.monotonic() + 10
        for child in started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(max(0.1, deadline - time.monotonic()))
