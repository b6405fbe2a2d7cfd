"""`ragsolver worker ROLE`: one worker process."""

import asyncio
import logging
import os
from dataclasses import replace
from pathlib import Path

import click

from ragsolver_runtime import logs
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.bus_session import running_url
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.cli.options import (
    bus_options,
    examples,
    load_tables,
    metrics_options,
    set_option,
    workspace_of,
)
from ragsolver_runtime.config import load_run_config
from ragsolver_runtime.errors import DriftError, PermanentError
from ragsolver_runtime.intake import ROLE as INTAKE
from ragsolver_runtime.intake_app import run_intake
from ragsolver_runtime.llm.calling import secrets_of
from ragsolver_runtime.roles import load_role
from ragsolver_runtime.settings import bus_table
from ragsolver_runtime.telemetry.settings import telemetry_settings


@click.command(
    epilog=examples(
        "ragsolver worker verifier --nats nats://10.0.0.5:4222",
        "ragsolver worker verifier --set verifier.sessions=4",
    )
)
@click.argument("role")
@bus_options
@set_option
@click.option(
    "--workers-config",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="File of worker settings, one table per role.  [default: the shipped one]",
)
@click.option(
    "--config",
    default="full",
    show_default=True,
    help="Intake: run configuration of inputs that name no run.",
)
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the log to this file, as JSON lines.",
)
@metrics_options
@click.option("--metrics-socket", hidden=True, help="Socket file of the same, for `up`.")
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What standard error gets: short lines for people, or JSON lines.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="Lowest level that is logged; as text, warnings at least stand on the terminal.",
)
@click.option("--verbose", is_flag=True, help="The same as --log-level debug.")
def worker(
    role: str,
    nats_url: str | None,
    data: Path | None,
    settings: tuple[str, ...],
    workers_config: Path | None,
    config: str,
    log_file: Path | None,
    metrics_port: int | None,
    metrics_host: str | None,
    metrics_socket: str | None,
    log_format: logs.Form,
    log_level: str,
    *,
    verbose: bool,
) -> None:
    """Run one worker until SIGTERM or Ctrl-C.

    ROLE is planner, retriever, generator, formalizer, verifier, critic or intake. Start as many
    as you like, on any machine that reaches the same NATS: they share the work.
    """
    level = logging.DEBUG if verbose else logging.getLevelNamesMapping()[log_level.upper()]
    secrets = secrets_of(os.environ)
    logs.set_up(role, file=log_file, level=level, form=log_format, secrets=secrets)
    try:
        spec = load_role(role) if role != INTAKE else None
    except PermanentError as error:
        raise _hopeless(error) from error
    tables = load_tables(settings, workers_config)
    bus = bus_table(tables.get("bus", {}), "worker settings")
    told = telemetry_settings(
        tables,
        metrics_port=metrics_port,
        metrics_host=metrics_host,
        metrics_socket=metrics_socket,
    )
    where = bus.app(running_url(nats_url, workspace_of(data)), (role,))
    app = replace(where, model=tables.get("model", {}), telemetry=told)
    try:
        if spec is None:
            inbox = load_run_config(config, env=os.environ)
            running = run_intake(app, inbox_config=inbox)
        else:
            running = run_worker(spec, app, tables.get(role, {}))
        code = asyncio.run(running)
    except (PermanentError, DriftError) as error:
        raise _hopeless(error) from error
    raise SystemExit(code)


def _hopeless(error: Exception) -> SystemExit:
    """Ends with the code that tells a supervisor that another start cannot help."""
    click.echo(f"error: {error}", err=True)
    return SystemExit(ExitCode.USAGE)
