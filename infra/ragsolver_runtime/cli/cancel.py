"""`ragsolver cancel RUN [PROBLEM]`."""

import asyncio
import getpass
from pathlib import Path

import click

from ragsolver_runtime.bus_session import existing
from ragsolver_runtime.cancel import cancel as cancel_problems
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.cli.options import bus_options, bus_settings, examples, workspace_of
from ragsolver_runtime.runs import chosen_run


@click.command(
    epilog=examples(
        "ragsolver cancel r20260101-120000-abcd1234",
    )
)
@click.argument("run")
@click.argument("problem", required=False)
@bus_options
@click.option("--reason", default="", help="Why, for the record.")
def cancel(
    run: str, problem: str | None, nats_url: str | None, data: Path | None, reason: str
) -> None:
    """Stop the work on PROBLEM, or on every open problem of RUN."""
    cancelled = asyncio.run(_cancel(run, problem, nats_url, data, reason))
    for name in cancelled:
        click.echo(f"cancelled {name}")
    if not cancelled:
        click.echo("nothing was open", err=True)
        raise SystemExit(ExitCode.NOT_ALL)


async def _cancel(
    run: str, problem: str | None, url: str | None, data: Path | None, reason: str
) -> list[str]:
    workspace = workspace_of(data)
    async with existing(url, workspace, bus_settings(), "cli/cancel") as bus:
        run_id = await chosen_run(bus.reader, run)
        return await cancel_problems(
            bus.publisher, bus.reader, run_id, problem, by=_who(), reason=reason
        )


def _who() -> str:
    """Who asks; a container may run under a number that no name stands for."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
