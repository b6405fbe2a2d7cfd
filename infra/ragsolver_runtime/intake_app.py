"""The intake as a process: inputs are taken until it is told to stop."""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import suppress

from nats import errors as nats_errors

from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.access.table import access_of
from ragsolver_runtime.access.vital import ends_when_refused, say_refused
from ragsolver_runtime.connect import connect
from ragsolver_runtime.intake import ROLE, serve_intake
from ragsolver_runtime.process import (
    EXIT_BUS_LOST,
    EXIT_OK,
    AppSettings,
    first_of,
    instance_name,
    stop_on_signals,
)
from ragsolver_runtime.provisioning import make_ready
from ragsolver_runtime.tasks import end
from ragsolver_runtime.telemetry.opening import open_telemetry
from ragsolver_runtime.telemetry.watching import Telemetry, ready

_log = logging.getLogger(__name__)


async def run_intake(
    settings: AppSettings,
    *,
    inbox_config: RunConfig | None = None,
    stop: asyncio.Event | None = None,
    on_ready: Callable[[], None] | None = None,
    signals: bool = True,
) -> int:
    """Run the intake until it is told to stop; returns the process's exit code.

    Args:
        settings: bus and process.
        inbox_config: configuration of the standing run of inputs that name none.
        stop: set to end it; SIGTERM and SIGINT set it too.
        on_ready: called once inputs are taken.
        signals: whether to listen to SIGTERM and SIGINT; False inside another program.

    Raises:
        DriftError: the bus differs from the declared table.
        BusLostError: nothing answers at the bus's URL.
        RefusedError: the bus refuses what the intake needs.
    """
    stop = stop or asyncio.Event()
    if signals:
        stop_on_signals(stop)
    lost = asyncio.Event()
    async with open_telemetry(settings.telemetry, ROLE, os.environ) as told:
        return await _run(settings, inbox_config, on_ready, stop, lost, told)


async def _run(
    settings: AppSettings,
    inbox_config: RunConfig | None,
    on_ready: Callable[[], None] | None,
    stop: asyncio.Event,
    lost: asyncio.Event,
    told: Telemetry,
) -> int:
    name = instance_name()
    vital = ends_when_refused(access_of(ROLE), lost)
    client = await connect(
        settings.bus,
        f"{ROLE}/{name}",
        on_closed=lost.set,
        on_refused=vital,
        numbers=told.numbers,
    )
    told.health.connected = lambda: client.is_connected
    try:
        await make_ready(client, settings)
        serving = asyncio.create_task(
            serve_intake(
                client,
                name,
                inbox_config=inbox_config,
                on_ready=lambda: ready(told, ROLE, on_ready),
                telemetry=told,
            )
        )
        stopped = asyncio.create_task(first_of(stop, lost))
        await asyncio.wait({serving, stopped}, return_when=asyncio.FIRST_COMPLETED)
        is_lost = lost.is_set() or serving.done()
        await end(serving, stopped)
        failure = None if serving.cancelled() else serving.exception()
        if failure is not None:
            _log.error("the intake ended: %r", failure, exc_info=failure)
        if is_lost:
            say_refused(client, access_of(ROLE))
    finally:
        with suppress(nats_errors.Error, TimeoutError, OSError):
            await client.close()
    return EXIT_BUS_LOST if is_lost else EXIT_OK
