"""Where a command's runs take place: on which bus, and with whose workers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from rich.console import Console

from ragsolver_runtime.bus_session import Bus, connected, embedded
from ragsolver_runtime.hosting import set_up_parts, workers_on
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.supervisor import Supervisor
from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.workspace import Workspace


@dataclass(frozen=True)
class RunPlace:
    """A bus that is there or is started, and workers that run or are started.

    Attributes:
        workspace: data folder.
        url: of an existing bus; None for the embedded server.
        table: the bus as declared.
        counts: processes by role, where we start them.
        worker_settings: `--set` values for workers.
        start_workers: whether we start them.
        console: told what is used and set up.
        telemetry: where numbers of the workers that we start are served.
    """

    workspace: Workspace
    url: str | None
    table: BusTable
    counts: Mapping[str, int]
    worker_settings: tuple[str, ...]
    start_workers: bool
    console: Console
    telemetry: TelemetrySettings | None = None

    async def ready(self) -> Self:
        """The place as it is to be used: what `ragsolver up` runs, else with its parts set up.

        Raises:
            BusError: a part cannot be set up, with what to do.
        """
        endpoint = self.workspace.endpoint()
        if self.url is None and endpoint is not None and endpoint.kind == "up":
            self.console.print(f"using the workers that run at {endpoint.url}", markup=False)
            return replace(self, url=endpoint.url, start_workers=False)
        if self.start_workers:
            await set_up_parts(self.console)
        return self

    @asynccontextmanager
    async def bus(self, name: str) -> AsyncIterator[Bus]:
        """The bus, for the block; other commands find an embedded one by its endpoint file.

        Args:
            name: of the connection.

        Raises:
            BusError: nothing answers there, or the server does not start.
        """
        opened = (
            connected(self.url, self.table, name)
            if self.url is not None
            else embedded(self.workspace, self.table, name)
        )
        async with opened as bus:
            if bus.server is not None:
                self.workspace.write_endpoint(bus.url, "solve")
            try:
                yield bus
            finally:
                if bus.server is not None:
                    self.workspace.clear_endpoint()

    def workers(
        self, bus: Bus, logs: Path, inbox: str
    ) -> AbstractAsyncContextManager[Supervisor | None]:
        """Our workers on the bus, for the block; none where others run.

        Args:
            bus: where they work.
            logs: folder of their output.
            inbox: run configuration of inputs that name no run.
        """
        if not self.start_workers:
            return nullcontext()
        return workers_on(
            bus,
            self.counts,
            self.worker_settings,
            logs,
            inbox,
            telemetry=self.telemetry,
            tell=lambda text: self.console.print(text, markup=False),
        )
