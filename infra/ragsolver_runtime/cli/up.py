"""`ragsolver up`: a bus with workers on it, until Ctrl-C."""

import asyncio
import os
from collections.abc import Coroutine
from pathlib import Path

import click

from ragsolver_runtime.bus_session import embedded
from ragsolver_runtime.cli.options import (
    bus_settings,
    examples,
    load_tables,
    messages,
    metrics_options,
    scale_option,
    set_option,
    workspace_of,
)
from ragsolver_runtime.cli.web import page_beside, web_option
from ragsolver_runtime.config import load_run_config
from ragsolver_runtime.hosting import (
    InterruptedRunError,
    run_interruptibly,
    set_up_parts,
    while_alive,
    workers_on,
)
from ragsolver_runtime.roles import parse_scale
from ragsolver_runtime.telemetry.settings import TelemetrySettings, telemetry_settings
from ragsolver_runtime.workspace import Workspace


@click.command(
    epilog=examples(
        "ragsolver up --scale verifier=4,retriever=2 --port 4222",
        "ragsolver up --web",
    )
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Data folder of the embedded bus.  [default: $RAGSOLVER_DATA or the XDG data folder]",
)
@scale_option
@set_option
@click.option(
    "--config", default="full", show_default=True, help="Configuration of inputs without a run."
)
@click.option("--port", type=click.IntRange(1, 65535), help="Port of NATS.  [default: any free]")
@web_option
@metrics_options
def up(
    data: Path | None,
    scale: tuple[str, ...],
    settings: tuple[str, ...],
    config: str,
    port: int | None,
    web_port: int | None,
    metrics_port: int | None,
    metrics_host: str | None,
) -> None:
    """Start the bus and one process per worker role, until Ctrl-C.

    Then `ragsolver submit`, `watch`, `report` and `cancel` find it through the data folder, and
    any NATS client posts problems as JSON on the subject `rs.submit`.
    """
    load_run_config(config, env=os.environ)
    told = telemetry_settings(
        load_tables(settings), metrics_port=metrics_port, metrics_host=metrics_host
    )
    work = _up(workspace_of(data), parse_scale(scale), settings, config, port, web_port, told)
    _until_interrupted(work)


def _until_interrupted(work: Coroutine[None, None, None]) -> None:
    try:
        run_interruptibly(work)
    except InterruptedRunError:
        click.echo("stopped", err=True)


async def _up(
    workspace: Workspace,
    counts: dict[str, int],
    settings: tuple[str, ...],
    config: str,
    port: int | None,
    web_port: int | None,
    told: TelemetrySettings,
) -> None:
    table = bus_settings(settings)
    await set_up_parts(messages())
    logs = workspace.data / "logs"
    async with (
        embedded(workspace, table, "cli/up", port) as bus,
        page_beside(bus, web_port, workspace),
        workers_on(bus, counts, settings, logs, config, telemetry=told, tell=_tell) as supervisor,
    ):
        workspace.write_endpoint(bus.url, "up")
        try:
            click.echo(f"NATS at {bus.url}, data in {workspace.data}, logs in {logs}", err=True)
            click.echo(f"{sum(counts.values())} worker processes; Ctrl-C stops them", err=True)
            await while_alive(_for_ever(), bus, supervisor, needs_room=False)
        finally:
            workspace.clear_endpoint()


def _tell(text: str) -> None:
    click.echo(text, err=True)


async def _for_ever() -> None:
    await asyncio.Event().wait()
