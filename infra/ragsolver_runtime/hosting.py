"""Running workers around a block of work: set up what is missing, start them, watch over them."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.doctor import Finding, missing_setups
from ragsolver_runtime.errors import BusError, ServerError, StorageFullError
from ragsolver_runtime.roles import worker_processes
from ragsolver_runtime.room import until_full
from ragsolver_runtime.settings import CREDENTIALS_VARIABLE, URL_VARIABLE
from ragsolver_runtime.supervisor import Supervisor, ending
from ragsolver_runtime.tasks import end
from ragsolver_runtime.telemetry.gathering import gathered, sockets_for
from ragsolver_runtime.telemetry.settings import TelemetrySettings

T = TypeVar("T")

_SETUP_GRACE_S = 10.0
_CLEAN_UP_S = 60.0
"""What work gets to clean up before it is cancelled again."""


class InterruptedRunError(BusError):
    """A person or the system asked us to stop."""


async def set_up_parts(console: Console) -> None:
    """Install what workers need and what is not there yet: toolchain, index.

    Args:
        console: told what is set up; the steps' own progress goes to standard error.

    Raises:
        BusError: a part cannot be set up, with what to do.
    """
    for finding in missing_setups():
        if not finding.setup:
            fix = f": {finding.fix}" if finding.fix else ""
            raise BusError(f"{finding.name}: {finding.detail}{fix}")
        console.print(f"setting up: {finding.name} ({finding.detail})", markup=False)
        await _set_up(finding)


async def _set_up(finding: Finding) -> None:
    command = [sys.executable, "-m", "ragsolver_runtime.cli", *finding.setup]
    step = await asyncio.create_subprocess_exec(*command, stdout=sys.stderr)
    try:
        code = await step.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            step.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(_SETUP_GRACE_S):
                await step.wait()
        raise
    if code != 0:
        shown = " ".join(("ragsolver", *finding.setup))
        raise BusError(f"setting up {finding.name} failed ({ending(code)}): run `{shown}`")


@asynccontextmanager
async def workers_on(
    bus: Bus,
    counts: Mapping[str, int],
    settings: tuple[str, ...],
    logs: Path,
    inbox: str,
    *,
    telemetry: TelemetrySettings | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> AsyncIterator[Supervisor]:
    """Worker processes on a bus, kept alive for the block.

    Args:
        bus: where they work.
        counts: number of processes by role.
        settings: `--set` values for workers.
        logs: folder of their output.
        inbox: run configuration of inputs that name no run.
        telemetry: where their numbers are served together; by default nowhere.
        tell: told where that is.

    Raises:
        ConfigError: the port of the numbers cannot be had.
    """
    told = telemetry or TelemetrySettings()
    async with AsyncExitStack() as stack:
        sockets = await stack.enter_async_context(sockets_for(told))
        specs = worker_processes(dict(counts), settings, logs, inbox, sockets)
        supervisor = Supervisor(specs, env=_environment(bus))
        if sockets is not None:
            names = [spec.name for spec in specs]
            pages = gathered(told, sockets, names, lambda: supervisor.restarts)
            port = await stack.enter_async_context(pages)
            tell(f"metrics at http://{told.metrics_host}:{port}/metrics")
        yield await stack.enter_async_context(supervisor)


def _environment(bus: Bus) -> dict[str, str]:
    env = {**os.environ, URL_VARIABLE: bus.url}
    if bus.app.bus.credentials is None:
        env.pop(CREDENTIALS_VARIABLE, None)
    return env


async def while_alive(
    work: Coroutine[Any, Any, T],
    bus: Bus,
    supervisor: Supervisor | None,
    *,
    needs_room: bool = True,
) -> T:
    """The result of `work`, as long as the server and every worker can be kept alive.

    Args:
        work: what is done.
        bus: where.
        supervisor: of the workers, where they are ours.
        needs_room: whether a full stream ends the work; it is logged in any case.

    Raises:
        StorageFullError: the stream takes nothing more.
        WorkerDiedError: a worker ends again and again.
        ServerError: the embedded server is down for good.
    """
    working = asyncio.create_task(work, name="work")
    guards: list[asyncio.Task[None]] = []
    if supervisor is not None:
        guards.append(asyncio.create_task(supervisor.wait_failed(), name="workers"))
    if bus.server is not None:
        guards.append(asyncio.create_task(_server_lost(bus), name="server"))
    guards.append(asyncio.create_task(_no_room(bus, needs_room=needs_room), name="room"))
    try:
        await asyncio.wait({working, *guards}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            for guard in guards:
                if guard.done():
                    guard.result()
        return await working
    finally:
        await end(working, *guards, again_s=_CLEAN_UP_S)


async def _no_room(bus: Bus, *, needs_room: bool) -> None:
    said = await until_full(bus.client.jetstream(timeout=5))
    if needs_room:
        raise StorageFullError(said)
    await asyncio.Event().wait()


async def _server_lost(bus: Bus) -> None:
    if bus.server is not None:
        code = await bus.server.wait()
        raise ServerError(
            f"nats-server is down for good ({ending(code)}); its log is {bus.server.log_path}"
        )


def run_interruptibly(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; Ctrl-C, SIGTERM or a closed terminal cancels the work, which cleans up.

    A second Ctrl-C does not wait for a clean end.

    Raises:
        InterruptedRunError: it was interrupted.
    """
    return asyncio.run(_interruptible(work))


async def _interruptible(work: Coroutine[Any, Any, T]) -> T:
    loop = asyncio.get_running_loop()
    working = asyncio.create_task(work, name="interruptible")

    def _stop(number: signal.Signals) -> None:
        loop.remove_signal_handler(number)
        working.cancel()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, _stop, number)
    try:
        return await working
    except asyncio.CancelledError as error:
        raise InterruptedRunError("interrupted") from error
