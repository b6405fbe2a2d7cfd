"""`ragsolver trace export | import | verify`; `hash` and `diff` stand in `trace_states`."""

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO

import click

from ragsolver_runtime.access.credentials import OPERATOR
from ragsolver_runtime.bus_session import connected, embedded, existing
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.cli.options import (
    bus_options,
    bus_settings,
    examples,
    json_option,
    workspace_of,
)
from ragsolver_runtime.cli.trace_states import diff_command, hash_command
from ragsolver_runtime.errors import BusError, ConfigError
from ragsolver_runtime.recheck import RecheckItem, RecheckResult, installed_recheck
from ragsolver_runtime.render import printable
from ragsolver_runtime.runs import chosen_run
from ragsolver_runtime.trace import (
    AnyLine,
    BadLine,
    export_run,
    import_trace,
    lines_of,
    read_trace,
)
from ragsolver_runtime.trace_file import TraceFile, open_trace
from ragsolver_runtime.trace_verify import Fault, TraceCheck, verify_trace
from ragsolver_runtime.wire import InvalidStored

_SHOWN_FAULTS = 50


@click.group()
def trace() -> None:
    """The recorded events of a run, as a file."""


trace.add_command(hash_command)
trace.add_command(diff_command)


@trace.command(
    "export",
    epilog=examples(
        "ragsolver trace export -o run.jsonl",
    ),
)
@click.argument("run", required=False)
@bus_options
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    default="-",
    help="Where to write.  [default: standard output]",
)
def export_command(run: str | None, nats_url: str | None, data: Path | None, target: Path) -> None:
    """Write every event of RUN, or of the latest run, as one JSON object per line."""
    count, invalid = asyncio.run(_export(run, nats_url, data, target))
    click.echo(f"{count} events", err=True)
    if invalid:
        click.echo(f"{invalid} stored messages are not valid events and were left out", err=True)
        raise SystemExit(ExitCode.NOT_ALL)


async def _export(
    run: str | None, url: str | None, data: Path | None, target: Path
) -> tuple[int, int]:
    count = invalid = 0
    async with existing(url, workspace_of(data), bus_settings(), "cli/trace") as bus:
        run_id = await chosen_run(bus.reader, run)
        with _written(target) as stream:
            async for line in export_run(bus.reader, run_id):
                if isinstance(line, InvalidStored):
                    invalid += 1
                    continue
                stream.write(line.encode() + b"\n")
                count += 1
    return count - 1, invalid  # the closing line is no event


@contextmanager
def _written(target: Path) -> Iterator[IO[bytes]]:
    """A file that appears whole or not at all; `-` is standard output."""
    if str(target) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = target.with_name(target.name + ".part")
    try:
        with part.open("wb") as stream:
            yield stream
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@trace.command(
    "import",
    epilog=examples(
        "ragsolver trace import run.jsonl --data /some/empty/folder",
    ),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@bus_options
def import_command(file: Path, nats_url: str | None, data: Path | None) -> None:
    """Put the events of a trace on a bus, under their own ids; importing twice changes nothing."""
    bad = _tell_bad_lines(file)
    if bad:
        raise ConfigError(f"{file} has {bad} bad lines; nothing was imported")
    stored, known = asyncio.run(_import(file, nats_url, data))
    click.echo(f"{stored} events stored, {known} were there already")


def _tell_bad_lines(file: Path) -> int:
    """Show what is wrong with a trace, line by line; returns in how many places."""
    count = 0

    def _look(line: AnyLine, broken: list[str], _: TraceFile) -> None:
        nonlocal count
        for said in [line.message] if isinstance(line, BadLine) else broken:
            count += 1
            if count <= _SHOWN_FAULTS:
                click.echo(f"line {line.number}: {printable(said)}", err=True)

    with open_trace(file, _look) as trace:
        ended = trace.chain.end()
        if ended is not None:
            click.echo(f"line {trace.chain.last_line}: {ended}", err=True)
        return count + (ended is not None)


def _lines(file: Path) -> Iterator[AnyLine]:
    with file.open("rb") as stream:
        yield from read_trace(lines_of(stream))


async def _import(file: Path, url: str | None, data: Path | None) -> tuple[int, int]:
    workspace, table = workspace_of(data), bus_settings()
    endpoint = workspace.endpoint()
    found = url or (endpoint.url if endpoint else None)
    opened = (
        connected(found, table, "cli/trace", (OPERATOR,))  # says what any worker may say
        if found is not None
        else embedded(workspace, table, "cli/trace")
    )
    async with opened as bus:
        done = await import_trace(_lines(file), bus.publisher)
    return done.stored, done.known


@trace.command(
    "verify",
    epilog=examples(
        "ragsolver trace verify run.jsonl",
    ),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--no-lean", is_flag=True, help="Do not check the proofs again.")
@json_option
def verify_command(file: Path, *, no_lean: bool, as_json: bool) -> None:
    """Check a trace: digests, schemas, causation, gaps, budget, folds, and every proof.

    Digests name the line that was edited, moved, repeated or removed, and a cut-off end; traces
    of older versions have none. Every accepted proof goes to a fresh Lean process. Exit code 1
    if anything is wrong.
    """
    check = verify_trace(file)
    results: list[RecheckResult] = []
    if not no_lean and check.proofs:
        results = _recheck(check)
    if as_json:
        click.echo(json.dumps(_as_json(check, results), indent=2, ensure_ascii=False))
    else:
        _tell(check, results)
    raise SystemExit(ExitCode.NOT_ALL if check.faults else ExitCode.OK)


def _recheck(check: TraceCheck) -> list[RecheckResult]:
    recheck = installed_recheck()
    if recheck is None:
        raise BusError(
            "no Lean worker is installed to check the proofs: pip install "
            "'ragsolver[verifier]', or leave them out with --no-lean"
        )
    by_run: dict[str, list[RecheckItem]] = {}
    for run_id, item in check.proofs:
        by_run.setdefault(run_id, []).append(item)
    results: list[RecheckResult] = []
    for run_id, items in by_run.items():
        found = {result.problem_id: result for result in recheck(items)}
        for item in items:
            entity = f"{run_id}/{item.problem_id}"
            result = found.get(item.problem_id)
            if result is None:
                said = "the second check gave no answer"
                result = RecheckResult(item.problem_id, accepted=False, detail=said, failed=True)
            results.append(result)
            if not result.accepted:
                said = f"proof not accepted again: {result.detail}"
                check.faults.append(Fault(None, "lean", entity, said))
    return results


def _as_json(check: TraceCheck, results: list[RecheckResult]) -> dict[str, object]:
    return {
        "lines": check.lines,
        "chain": check.chain,
        "head": check.head,
        "runs": check.runs,
        "outcomes": check.outcomes,
        "faults": [asdict(fault) for fault in check.faults],
        "proofs": len(check.proofs),
        "proofs_accepted_again": sum(result.accepted for result in results),
    }


def _tell(check: TraceCheck, results: list[RecheckResult]) -> None:
    for fault in check.faults[:_SHOWN_FAULTS]:
        place = f"line {fault.line}" if fault.line is not None else "whole trace"
        click.echo(printable(f"{place}: {fault.rule}: {fault.where}: {fault.message}"))
    if len(check.faults) > _SHOWN_FAULTS:
        click.echo(f"and {len(check.faults) - _SHOWN_FAULTS} more faults")
    problems = sum(len(outcomes) for outcomes in check.outcomes.values())
    said = f"{check.lines} lines, {len(check.runs)} runs, {problems} problems"
    proofs = f"{len(check.proofs)} proofs"
    if results:
        again = sum(result.accepted for result in results)
        proofs += f", {again} accepted again by a fresh Lean process"
    elif check.proofs:
        proofs += " not checked again"
    if check.chain == "missing":
        click.echo("no digests: exported by an older version, so edits may go unnoticed")
    elif check.chain == "complete":
        click.echo(f"digests complete, the last one is {check.head}")
    click.echo(f"{said}, {proofs}: {len(check.faults) or 'no'} faults")
