"""`ragsolver submit FILE`: post problems to a bus that runs."""

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from ragsolver_contracts.problem import SubmitReply
from ragsolver_runtime.bus_session import connected, running_url
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.cli.options import (
    bus_options,
    bus_settings,
    examples,
    format_option,
    json_option,
    workspace_of,
)
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.problem_files import FileInput, Selection, read_inputs, read_jsonl
from ragsolver_runtime.render import one_line
from ragsolver_runtime.submission import post_input


@click.command(
    epilog=examples(
        "ragsolver submit problems.jsonl",
        "ragsolver submit minif2f_v2s.json --format minif2f --run RUN",
    )
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@format_option
@bus_options
@json_option
@click.option("--run", metavar="RUN", help="Add to this run.  [default: the standing run `inbox`]")
@click.option("--limit", type=click.IntRange(min=1), help="At most this many.")
def submit(
    file: Path,
    layout: str,
    nats_url: str | None,
    data: Path | None,
    run: str | None,
    limit: int | None,
    *,
    as_json: bool,
) -> None:
    """Post problems to a bus that runs, and print the answers.

    FILE is read as by `solve`; `-` is JSONL on standard input.

    Workers must run: `ragsolver up`, or your own against --nats. Exit code 1 if any input is
    refused.
    """
    inputs = Selection(limit=limit).apply(_inputs(file, layout))
    url = running_url(nats_url, workspace_of(data))
    refused = asyncio.run(_submit(url, inputs, run, as_json=as_json))
    raise SystemExit(ExitCode.NOT_ALL if refused else ExitCode.OK)


def _inputs(file: Path, layout: str) -> Iterable[FileInput]:
    if str(file) == "-":
        return read_jsonl(sys.stdin.buffer, "stdin", layout)
    if not file.exists():
        raise ConfigError(f"no file {file}")
    return read_inputs(file, layout)


async def _submit(url: str, inputs: Iterable[FileInput], run: str | None, *, as_json: bool) -> int:
    refused = 0
    async with connected(url, bus_settings(), "cli/submit") as bus:
        for item in inputs:
            message = item.message(run)
            reply = await post_input(bus.client, message, run_id=run, line=item.line)
            refused += reply.status == "refused"
            click.echo(reply.model_dump_json() if as_json else _words(item, reply))
    return refused


def _words(item: FileInput, reply: SubmitReply) -> str:
    name = one_line(item.name or f"line {item.line}", 60)
    if reply.status == "accepted":
        again = " (posted before)" if reply.duplicate else ""
        return f"accepted {name}: {reply.run_id}/{reply.problem_id}{again}"
    reason = reply.reason.value if reply.reason else "refused"
    return f"refused  {name}: {reason}: {one_line(reply.message, 200)}"
