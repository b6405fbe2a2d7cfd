"""Options that several commands share, and what they stand for."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.access.credentials import servers_of
from ragsolver_runtime.config import load_worker_settings
from ragsolver_runtime.formats.registry import AUTO, format_names
from ragsolver_runtime.intake import ROLE as INTAKE
from ragsolver_runtime.paths import data_dir
from ragsolver_runtime.roles import parse_scale, worker_roles
from ragsolver_runtime.run_place import RunPlace
from ragsolver_runtime.settings import CREDENTIALS_VARIABLE, URL_VARIABLE, BusTable, bus_table
from ragsolver_runtime.telemetry.settings import telemetry_settings
from ragsolver_runtime.workspace import Workspace

F = TypeVar("F", bound=Callable[..., Any])


def examples(*commands: str) -> str:
    """The end of a command's help: lines to copy, kept as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)


def bus_options(function: F) -> F:
    """`--nats URL`, `--creds FILE` and `--data DIR`."""
    nats = click.option(
        "--nats",
        "nats_url",
        metavar="URL",
        callback=_known_url,
        help="Use this NATS server, or several of one cluster with commas between them.  "
        f"[env: {URL_VARIABLE}]",
    )
    creds = click.option(
        "--creds",
        type=click.Path(exists=True, path_type=Path),
        expose_value=False,
        is_eager=True,
        callback=_use_credentials,
        help="Credentials on a bus with users: a file, or a folder with one file per role.  "
        f"[env: {CREDENTIALS_VARIABLE}]",
    )
    data = click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        help="Data folder of the embedded bus.  [default: $RAGSOLVER_DATA or the XDG data folder]",
    )
    return nats(creds(data(function)))


def _use_credentials(_: click.Context, __: click.Parameter, path: Path | None) -> None:
    """Where settings are read from, so that processes that we start find them, too."""
    if path is not None:
        os.environ[CREDENTIALS_VARIABLE] = str(path.expanduser().resolve())


def _known_url(_: click.Context, __: click.Parameter, url: str | None) -> str | None:
    """As given; else what environment or credentials say."""
    if url is not None or not {URL_VARIABLE, CREDENTIALS_VARIABLE} & os.environ.keys():
        return url
    file = os.environ.get(CREDENTIALS_VARIABLE)
    return os.environ.get(URL_VARIABLE) or (servers_of(Path(file)) if file else None)


def set_option(function: F) -> F:
    """`--set KEY=VALUE`, any number of times."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change one setting, of the run (budget.attempts=5) or of a worker "
        "(verifier.sessions=2).",
    )(function)


def scale_option(function: F) -> F:
    """`--scale ROLE=N[,ROLE=N…]`, any number of times."""
    return click.option(
        "--scale",
        multiple=True,
        metavar="ROLE=N[,ROLE=N]",
        help="Start N processes of a worker role, for example verifier=4,retriever=2.",
    )(function)


def format_option(function: F) -> F:
    """`--format NAME`."""
    return click.option(
        "--format",
        "layout",
        type=click.Choice(format_names()),
        default=AUTO,
        show_default=True,
        help="The dataset whose layout FILE has; auto: each record tells by its fields.",
    )(function)


def json_option(function: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")(
        function
    )


def metrics_options(function: F) -> F:
    """`--metrics-port PORT` and `--metrics-host ADDRESS`."""
    port = click.option(
        "--metrics-port",
        type=click.IntRange(0, 65535),
        help="Serve /metrics for Prometheus and /healthz for probes here; 0: any free port.",
    )
    host = click.option(
        "--metrics-host",
        metavar="ADDRESS",
        help="Address of the port; 0.0.0.0 lets other machines in.  [default: 127.0.0.1]",
    )
    return port(host(function))


def workspace_of(data: Path | None) -> Workspace:
    """The data folder that is meant."""
    return Workspace((data or data_dir()).expanduser().resolve())


def place_of(
    data: Path | None,
    nats_url: str | None,
    scale: tuple[str, ...],
    of_workers: tuple[str, ...],
    *,
    start_workers: bool,
) -> RunPlace:
    """The bus and the workers that a command's options mean.

    Raises:
        ConfigError: an unknown role, key or value.
    """
    return RunPlace(
        workspace=workspace_of(data),
        url=nats_url,
        table=bus_settings(of_workers),
        counts=parse_scale(scale),
        worker_settings=of_workers,
        start_workers=start_workers,
        console=messages(),
        telemetry=telemetry_settings(load_tables(of_workers)),
    )


def split_settings(settings: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`--set` values of the run, and those of workers.

    What the run configuration knows belongs to the run; `role.key` of a worker or `bus.key` to
    the workers; anything else to the run, whose loader says what it knows.
    """
    of_run: list[str] = []
    of_workers: list[str] = []
    roles = {"bus", "model", "telemetry", INTAKE, *worker_roles()}
    for flag in settings:
        parts = flag.partition("=")[0].strip().split(".")
        is_run = _run_knows(parts) or parts[0] not in roles
        (of_run if is_run else of_workers).append(flag)
    return tuple(of_run), tuple(of_workers)


def _run_knows(parts: list[str]) -> bool:
    field = RunConfig.model_fields.get(parts[0])
    if field is None:
        return False
    inner = getattr(field.annotation, "model_fields", None)
    return len(parts) == 1 or (inner is not None and parts[1] in inner)


def load_tables(settings: Iterable[str], file: Path | None = None) -> dict[str, dict[str, Any]]:
    """Worker settings by role, from file, environment and `--set`.

    Raises:
        ConfigError: an unknown table or key.
    """
    roles = [INTAKE, *worker_roles()]
    return load_worker_settings(file, roles, env=os.environ, flags=settings)


def bus_settings(settings: Iterable[str] = ()) -> BusTable:
    """The `[bus]` table of the worker settings.

    Raises:
        ConfigError: an unknown key or a bad value.
    """
    return bus_table(load_tables(settings).get("bus", {}), "worker settings")


def messages() -> Console:
    """Where people read what happens: standard error, so that output stays clean."""
    return Console(stderr=True, highlight=False)


def output() -> Console:
    """Where results go; as wide as the terminal, 120 columns for a file."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=120)
