"""One connection to the bus for a command: a given URL, the running `up`, or the data folder.

A command that only reads starts the embedded server on the data folder for the moment when
nothing runs there.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from nats import errors as nats_errors
from nats.aio.client import Client

from ragsolver_runtime.access.credentials import COMMAND_ROLES
from ragsolver_runtime.connect import connect
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.provisioning import make_ready
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.server import EmbeddedServer
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.workspace import Workspace


@dataclass(frozen=True)
class Bus:
    """An open bus."""

    url: str
    client: Client
    publisher: Publisher
    reader: EventReader
    app: AppSettings
    server: EmbeddedServer | None = None
    """The embedded server, where this process runs it."""


@asynccontextmanager
async def connected(
    url: str,
    table: BusTable,
    name: str,
    roles: Sequence[str] = COMMAND_ROLES,
    *,
    declare: bool = True,
) -> AsyncIterator[Bus]:
    """The bus at a URL, provisioned.

    Args:
        url: its servers.
        table: the bus as declared.
        name: of the connection.
        roles: what we may be on a bus with users.
        declare: whether its streams are made and compared; who only reads needs neither.

    Raises:
        BusLostError: nothing answers there.
        DriftError: its streams differ from the declared table.
        RefusedError: it does not accept our credentials.
    """
    async with _connected(url, table.app(url, roles), name, None, declare=declare) as bus:
        yield bus


@asynccontextmanager
async def embedded(
    workspace: Workspace,
    table: BusTable,
    name: str,
    port: int | None = None,
    *,
    declare: bool = True,
) -> AsyncIterator[Bus]:
    """The embedded server on the workspace's data, for the block.

    Raises:
        ServerError: it does not start, or the folder is in use.
    """
    app = replace(table, credentials="", ca="").app  # it has no users
    async with (
        EmbeddedServer(table.server(workspace.bus, port)) as server,
        _connected(server.url, app(server.url), name, server, declare=declare) as bus,
    ):
        yield bus


@asynccontextmanager
async def existing(
    url: str | None,
    workspace: Workspace,
    table: BusTable,
    name: str,
    roles: Sequence[str] = COMMAND_ROLES,
) -> AsyncIterator[Bus]:
    """The bus that holds earlier runs: at a URL, running on the data folder, or started on it.

    Raises:
        BusError: there is none.
    """
    endpoint = workspace.endpoint()
    found = url or (endpoint.url if endpoint else None)
    if found is not None:
        async with connected(found, table, name, roles) as bus:
            yield bus
    elif workspace.has_events:
        async with embedded(workspace, table, name) as bus:
            yield bus
    else:
        raise BusError(
            f"no run was ever made in data folder {workspace.data}: name another one with --data, "
            "or a server with --nats"
        )


def running_url(url: str | None, workspace: Workspace) -> str:
    """URL of a bus with workers on it: as given, or that of the running `up`.

    Raises:
        BusError: nothing runs on the data folder.
    """
    endpoint = workspace.endpoint()
    if url is not None:
        return url
    if endpoint is None:
        raise BusError(
            f"nothing runs on data folder {workspace.data}: start it with `ragsolver up`, or "
            "name a server with --nats"
        )
    return endpoint.url


@asynccontextmanager
async def _connected(
    url: str, app: AppSettings, name: str, server: EmbeddedServer | None, *, declare: bool
) -> AsyncIterator[Bus]:
    client = await connect(app.bus, name)
    try:
        if declare:
            await make_ready(client, app, grow=server is not None)
        publisher, reader = Publisher(client, app.publish), EventReader(client)
        yield Bus(url, client, publisher, reader, app, server)
    finally:
        with suppress(nats_errors.Error, TimeoutError, OSError):
            await client.close()
