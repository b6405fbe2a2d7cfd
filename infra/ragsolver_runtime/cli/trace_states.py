"""`ragsolver trace hash | diff`: what two runs came to, and where they part."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import click

from ragsolver_contracts.state import run_state_hash, state_hash
from ragsolver_runtime.bus_session import existing
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.cli.options import (
    bus_options,
    bus_settings,
    examples,
    json_option,
    workspace_of,
)
from ragsolver_runtime.replay.compare import Parting, partings
from ragsolver_runtime.replay.render import partings_text
from ragsolver_runtime.replay.source import BusRun, FileRun, RunSource
from ragsolver_runtime.runs import chosen_run
from ragsolver_runtime.trace_file import open_trace, require_sound


@click.command(
    "hash",
    epilog=examples(
        "ragsolver trace hash run.jsonl",
        "ragsolver trace hash r20260101-120000-abcd1234 --problems",
    ),
)
@click.argument("run")
@click.option("--run", "run_id", metavar="ID", help="Which run of a file with several.")
@click.option("--problems", "each", is_flag=True, help="Also the hash of every problem.")
@bus_options
@json_option
def hash_command(
    run: str,
    run_id: str | None,
    nats_url: str | None,
    data: Path | None,
    *,
    each: bool,
    as_json: bool,
) -> None:
    """Print the state hash of RUN: a trace file, or a run on the bus.

    Equal hashes: the same problems, asked the same, answered the same, ended the same. When,
    where and by whom does not count.
    """
    found = asyncio.run(_hashes(run, run_id, nats_url, data))
    whole = run_state_hash(found.items())
    if as_json:
        click.echo(json.dumps({"state_hash": whole, "problems": found}, indent=2))
        return
    click.echo(whole)
    for problem_id, problem_hash in found.items() if each else ():
        click.echo(f"{problem_hash}  {problem_id}")


async def _hashes(
    run: str, run_id: str | None, url: str | None, data: Path | None
) -> dict[str, str]:
    async with _opened(run, run_id, url, data) as source:
        return {
            problem_id: state_hash(await source.case(problem_id))
            async for problem_id in source.problem_ids()
        }


@click.command(
    "diff",
    epilog=examples(
        "ragsolver trace diff before.jsonl after.jsonl",
        "ragsolver trace diff run.jsonl r20260101-120000-abcd1234 --json",
    ),
)
@click.argument("a")
@click.argument("b")
@click.option("--run-a", metavar="ID", help="Which run of A, if the file has several.")
@click.option("--run-b", metavar="ID", help="Which run of B, if the file has several.")
@bus_options
@json_option
def diff_command(
    a: str,
    b: str,
    run_a: str | None,
    run_b: str | None,
    nats_url: str | None,
    data: Path | None,
    *,
    as_json: bool,
) -> None:
    """Show, problem by problem, where runs A and B part and why.

    Each is a trace file or a run on the bus. Only the first difference of a problem is shown:
    what follows from it says nothing more. Exit code 0 if nothing differs, 1 if something does.
    """
    count = asyncio.run(_diff((a, run_a), (b, run_b), nats_url, data, as_json=as_json))
    raise SystemExit(ExitCode.NOT_ALL if count else ExitCode.OK)


async def _diff(
    a: tuple[str, str | None],
    b: tuple[str, str | None],
    url: str | None,
    data: Path | None,
    *,
    as_json: bool,
) -> int:
    found: list[Parting] = []
    async with _opened(*a, url, data) as old, _opened(*b, url, data) as new:
        async for parting in partings(old, new):
            found.append(parting)
            if not as_json:
                click.echo(partings_text([parting]))
    if as_json:
        listed = [parting.model_dump(mode="json") for parting in found]
        click.echo(json.dumps({"same": not found, "problems": listed}, indent=2))
    else:
        click.echo(f"{len(found)} problems differ" if found else "nothing differs")
    return len(found)


@asynccontextmanager
async def _opened(
    run: str, run_id: str | None, url: str | None, data: Path | None
) -> AsyncIterator[RunSource]:
    """A trace file where there is one of that name, else a run on the bus."""
    path = Path(run)
    if path.is_file():  # noqa: ASYNC240 - a command has nothing else to do meanwhile
        with open_trace(path) as trace:
            require_sound(trace)
            yield FileRun(trace, trace.only_run(run_id).run_id)
        return
    if path.suffix or "/" in run:
        raise click.FileError(run, "there is no such file")
    async with existing(url, workspace_of(data), bus_settings(), "cli/trace") as bus:
        yield BusRun(bus.reader, await chosen_run(bus.reader, run))
