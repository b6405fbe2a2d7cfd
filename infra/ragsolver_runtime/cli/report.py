"""`ragsolver report [RUN]`."""

import asyncio
from pathlib import Path

import click
from rich import box
from rich.table import Table

from ragsolver_runtime.bus_session import Bus, existing
from ragsolver_runtime.cli.exits import ExitCode, code_of
from ragsolver_runtime.cli.options import (
    bus_options,
    bus_settings,
    examples,
    json_option,
    output,
    workspace_of,
)
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.follow import read_view
from ragsolver_runtime.render import detail_text, report_text
from ragsolver_runtime.render_markdown import report_markdown
from ragsolver_runtime.replay.source import BusRun, run_state
from ragsolver_runtime.run_report import ProblemDetail, RunReport, problem_detail, run_report
from ragsolver_runtime.runs import RunSummary, chosen_run, list_runs


@click.command(
    epilog=examples(
        "ragsolver report",
        "ragsolver report r20260101-120000-abcd1234 --format md > report.md",
        "ragsolver report --problem add_zero",
    )
)
@click.argument("run", required=False)
@bus_options
@json_option
@click.option("--problem", metavar="ID", help="One problem, with every candidate.")
@click.option("--list", "list_all", is_flag=True, help="List the runs instead.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
    help="How the report is written.",
)
def report(
    run: str | None,
    nats_url: str | None,
    data: Path | None,
    problem: str | None,
    form: str,
    *,
    as_json: bool,
    list_all: bool,
) -> None:
    """Show a run: proofs, citations, attempts, who did what; the latest if RUN is left out."""
    form = "json" if as_json else form
    asyncio.run(_report(run, nats_url, data, problem, form, list_all=list_all))


async def _report(
    run: str | None,
    url: str | None,
    data: Path | None,
    problem: str | None,
    form: str,
    *,
    list_all: bool,
) -> None:
    async with existing(url, workspace_of(data), bus_settings(), "cli/report") as bus:
        if list_all:
            output().print(_runs(await list_runs(bus.reader)))
            return
        run_id = await chosen_run(bus.reader, run)
        if problem is not None:
            _show_detail(await _detail(bus, run_id, problem), form)
            return
        found = run_report(await read_view(bus.reader, run_id))
        if form == "json":
            state = await run_state(BusRun(bus.reader, run_id))
            found = found.model_copy(update={"state_hash": state})
    show(found, form)
    raise SystemExit(code_of(found) if found.finished_at or found.open else ExitCode.OK)


async def _detail(bus: Bus, run_id: str, problem: str) -> ProblemDetail:
    case = await bus.reader.load_case(run_id, problem)
    if not case.events:
        raise ConfigError(f"run {run_id} has no problem {problem!r}")
    return problem_detail(case)


def show(found: RunReport, form: str) -> None:
    """Print a run report as `text`, `md` or `json`."""
    if form == "json":
        click.echo(found.model_dump_json(indent=2))
    elif form == "md":
        click.echo(report_markdown(found))
    else:
        output().print(report_text(found), crop=False)


def _show_detail(detail: ProblemDetail, form: str) -> None:
    if form == "json":
        click.echo(detail.model_dump_json(indent=2))
    else:
        output().print(detail_text(detail), crop=False)


def _runs(runs: list[RunSummary]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("run", "started", "configuration", "inputs", "state"):
        table.add_column(name)
    for run in runs:
        count = "standing" if run.problem_count is None else str(run.problem_count)
        state = "finished" if run.finished else "unfinished"
        started = f"{run.started_at.astimezone():%Y-%m-%d %H:%M:%S}"
        table.add_row(run.run_id, started, run.config, count, state)
    return table
