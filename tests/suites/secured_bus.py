"""A real nats-server with the written configuration: one user per role, TLS."""

import asyncio
import socket
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from nats.aio.client import Client

from ragsolver_runtime.access.credentials import Credentials, read_credentials
from ragsolver_runtime.access.table import Access, access_table
from ragsolver_runtime.access.writing import Order, Written, write_access
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.server import server_binary


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class SecuredBus:
    """A running server, and who may use it."""

    folder: Path
    written: Written
    table: dict[str, Access]
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return self.written.urls[0]

    def credentials(self, role: str) -> Credentials:
        return read_credentials(self.written.credentials[role])

    def app(self, role: str, **changes: object) -> AppSettings:
        known = replace(self.credentials(role), **changes)
        bus = BusSettings(self.url, credentials=known, connect_timeout_s=5)
        return AppSettings(bus=bus)

    async def client(
        self, role: str, on_refused: Callable[[str, str], None] | None = None, **changes: object
    ) -> Client:
        bus = self.app(role, **changes).bus
        return await connect(bus, f"test/{role}", on_refused=on_refused)


def start(folder: Path, **changes: object) -> SecuredBus:
    """Write everything into a folder and start the server on it."""
    table = access_table()
    order = Order(folder, ("127.0.0.1",), self_signed=True, port=free_port(), **changes)
    written = write_access(order, table)
    command = [str(server_binary()), "-c", str(written.servers[0])]
    with (folder / "nats.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    return SecuredBus(folder, written, table, process)


def stop(bus: SecuredBus) -> None:
    bus.process.terminate()
    bus.process.wait(10)


@asynccontextmanager
async def connected_as(
    bus: SecuredBus, role: str, on_refused: Callable[[str, str], None] | None = None
) -> AsyncIterator[Client]:
    client = await bus.client(role, on_refused)
    try:
        yield client
    finally:
        await client.close()


async def until_up(bus: SecuredBus) -> None:
    """Wait until the server takes connections."""
    host, _, port = bus.url.removeprefix("tls://").partition(":")
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection(host, int(port))
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise AssertionError((bus.folder / "nats.log").read_text())
