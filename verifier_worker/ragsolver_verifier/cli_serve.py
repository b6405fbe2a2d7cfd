"""`ragsolver lean serve` and `ragsolver lean ask`: checks for others on the bus."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import click
from nats import errors as nats_errors

from ragsolver_contracts.check import CheckReply
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.ask_check import ask_check
from ragsolver_runtime.bus_session import running_url
from ragsolver_runtime.cli.options import (
    bus_options,
    bus_settings,
    examples,
    load_tables,
    set_option,
    workspace_of,
)
from ragsolver_runtime.config import settings_as
from ragsolver_runtime.connect import connect
from ragsolver_runtime.errors import BusLostError
from ragsolver_runtime.hosting import InterruptedRunError, run_interruptibly
from ragsolver_runtime.requests import RequestServer
from ragsolver_verifier.errors import LeanFailureError
from ragsolver_verifier.finding import ACCEPTED, FAILED, NOT_ACCEPTED, USAGE
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchain.errors import ToolchainError


@click.command(
    "serve",
    epilog=examples(
        "ragsolver lean serve --nats nats://10.0.0.5:4222",
        "ragsolver lean serve --set verifier.sessions=4",
    ),
)
@bus_options
@set_option
def serve_command(nats_url: str | None, data: Path | None, settings: tuple[str, ...]) -> None:
    """Answer check requests on the bus, on `rs.check`, until Ctrl-C or SIGTERM.

    Start as many as you like, on any machine that reaches the same NATS: they share the work.
    A running `ragsolver up` answers them already.
    """
    url = running_url(nats_url, workspace_of(data))
    table = load_tables(settings).get("verifier", {})
    chosen = settings_as(VerifierSettings, table, "workers.toml [verifier]")
    try:
        run_interruptibly(serve(url, chosen))
    except InterruptedRunError:
        click.echo("stopped", err=True)
    except (LeanFailureError, ToolchainError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(FAILED)


async def serve(url: str, settings: VerifierSettings) -> None:
    """Serve until cancelled.

    Raises:
        BusLostError: there is no bus, or it is gone for good.
        LeanFailureError: no Lean process starts.
        ToolchainError: no toolchain is installed.
    """
    # Imported here: the command line starts without Lean's driver.
    from ragsolver_verifier.answer_check import check_service
    from ragsolver_verifier.handler import open_checker

    lost = asyncio.Event()
    bus = bus_settings().app(url, ("verifier",)).bus
    client = await connect(bus, "lean serve", on_closed=lost.set)
    try:
        async with (
            open_checker(settings) as checker,
            RequestServer(client, check_service(checker, settings)),
        ):
            click.echo(f"checks are answered at {bus.shown}; Ctrl-C stops it", err=True)
            await lost.wait()
    finally:
        with suppress(nats_errors.Error, TimeoutError, OSError):
            await client.close()
    raise BusLostError("the connection to the bus is closed")


@click.command(
    "ask",
    epilog=examples(
        "ragsolver lean ask request.json",
        'echo \'{"statement": "theorem t : 1 + 1 = 2", '
        '"candidates": [{"id": "a", "proof": "rfl"}]}\' | ragsolver lean ask -',
    ),
)
@click.argument("request", type=click.File("rb"))
@bus_options
@click.option("--timeout", default=120.0, show_default=True, help="Seconds to wait.")
def ask_command(
    request: BinaryIO, nats_url: str | None, data: Path | None, timeout: float
) -> None:
    """Send a check request, and print the reply as JSON.

    REQUEST is a file with the JSON of a CheckRequest, or - for standard input. Exit code 0: every
    candidate is accepted. 1: some is not. 2: the request is refused. 3: no answer, or Lean could
    not do it.
    """
    url = running_url(nats_url, workspace_of(data))
    reply = asyncio.run(_ask(url, request.read(), timeout))
    click.echo(reply.model_dump_json())
    sys.exit(code_of(reply))


async def _ask(url: str, raw: bytes, timeout_s: float) -> CheckReply:
    client = await connect(bus_settings().app(url).bus, "lean ask")
    try:
        return await ask_check(client, raw, timeout_s)
    finally:
        with suppress(nats_errors.Error, TimeoutError, OSError):
            await client.close()


def code_of(reply: CheckReply) -> int:
    """The exit code that a reply means."""
    if reply.status == "refused":
        return USAGE
    if reply.status == "failed" or any(item.failure for item in reply.results):
        return FAILED
    verdicts = [item.verdict for item in reply.results if item.verdict is not None]
    accepted = [verdict.status is VerdictStatus.ACCEPTED for verdict in verdicts]
    return ACCEPTED if accepted and all(accepted) else NOT_ACCEPTED
