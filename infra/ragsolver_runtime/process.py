"""What every process on the bus has: its settings, its name, its end."""

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.publish import PublishSettings
from ragsolver_runtime.settle import ConsumeSettings
from ragsolver_runtime.streams import StreamSettings
from ragsolver_runtime.tasks import end
from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.valve import ValveSettings

EXIT_OK = 0
EXIT_BUS_LOST = 3


@dataclass(frozen=True)
class AppSettings:
    """How a worker process runs; times in seconds."""

    bus: BusSettings
    streams: StreamSettings = field(default_factory=StreamSettings)
    consume: ConsumeSettings = field(default_factory=ConsumeSettings)
    publish: PublishSettings = field(default_factory=PublishSettings)
    model: Mapping[str, Any] = field(default_factory=dict)
    """The table `[model]` of the worker settings."""
    telemetry: TelemetrySettings = field(default_factory=TelemetrySettings)
    valve: ValveSettings = field(default_factory=ValveSettings)
    pull_timeout_s: float = 2.0
    """One pull request; after a restart of the server it is asked again this late at most."""
    watchdog_s: float = 5.0
    drain_s: float = 5.0
    """What running work gets to finish after SIGTERM before it is handed back."""


def instance_name() -> str:
    """This process among a role's replicas: host, process id and a random part."""
    host = "".join(c if c.isalnum() or c in "._-" else "-" for c in socket.gethostname())
    return f"{host}-{os.getpid()}-{secrets.token_hex(2)}"


async def first_of(*events: asyncio.Event) -> None:
    """Wait until one of the events is set."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end(*waiting)


def stop_on_signals(stop: asyncio.Event) -> None:
    """SIGTERM and SIGINT set the event."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
