"""`ragsolver solve FILE`: the whole product in one command."""

import asyncio
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console

from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.cli.exits import code_of
from ragsolver_runtime.cli.options import (
    bus_options,
    examples,
    format_option,
    json_option,
    load_tables,
    place_of,
    scale_option,
    set_option,
    split_settings,
)
from ragsolver_runtime.cli.report import show
from ragsolver_runtime.cli.web import page_beside, web_option
from ragsolver_runtime.config import load_run_config
from ragsolver_runtime.doctor import contributed, require_tier
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.hosting import (
    InterruptedRunError,
    run_interruptibly,
    while_alive,
)
from ragsolver_runtime.llm.settings import KEY_VARIABLES, key_variable
from ragsolver_runtime.progress import progress_for
from ragsolver_runtime.recheck import installed_recheck
from ragsolver_runtime.render import printable
from ragsolver_runtime.run_notes import LATEST, new_note, note_to_resume, selected_inputs
from ragsolver_runtime.run_place import RunPlace
from ragsolver_runtime.run_report import RunReport
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import list_runs, versions
from ragsolver_runtime.solving import SolveOrder, accepted_proofs, recheck_all, run_to_end
from ragsolver_runtime.workspace import RunNote, Workspace, write_report

WITH_MODEL = "llm"
WITHOUT_MODEL = "full"


@dataclass(frozen=True)
class _Asked:
    """The options of one `solve`."""

    place: RunPlace
    recheck: bool
    report_dir: Path | None
    web_port: int | None = None
    """The web page is served there too."""

    @property
    def workspace(self) -> Workspace:
        """Data folder."""
        return self.place.workspace

    @property
    def console(self) -> Console:
        """For messages."""
        return self.place.console


@click.command(
    epilog=examples(
        "ragsolver solve problems.jsonl",
        "ragsolver solve minif2f.jsonl --only names.txt --scale verifier=2",
        "ragsolver solve Open.lean --set budget.attempts=10 --json > report.json",
        "ragsolver solve FATE-M.json --limit 10",
        "ragsolver solve exercises.md        (a problem in words under each `## name`)",
        "ragsolver solve PutnamBench/lean4/src --format putnambench",
        "ragsolver solve --resume",
    )
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@format_option
@click.option(
    "--only",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Only the problems named in this list, one name a line.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N problems.")
@click.option(
    "--config",
    help="Run configuration or file.  [default: llm where a key of a language model is set in "
    "the environment, else full]",
)
@set_option
@scale_option
@bus_options
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    metavar="[RUN]",
    help="Continue RUN, or the latest unfinished one.",
)
@json_option
@click.option(
    "--report-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write report.json and report.md here.",
)
@click.option("--no-recheck", is_flag=True, help="Do not check the proofs a second time.")
@click.option("--no-workers", is_flag=True, help="Workers run already; start none.")
@web_option
def solve(
    file: Path | None,
    layout: str,
    only: Path | None,
    limit: int | None,
    config: str | None,
    settings: tuple[str, ...],
    scale: tuple[str, ...],
    nats_url: str | None,
    data: Path | None,
    resume: str | None,
    report_dir: Path | None,
    web_port: int | None,
    *,
    as_json: bool,
    no_recheck: bool,
    no_workers: bool,
) -> None:
    """Solve the problems of FILE and print the report.

    FILE is JSON or JSON lines with name, split, informal_statement, formal_statement and header,
    or in the layout of a dataset (--format); a .lean file whose open theorems end in sorry; a .md
    or .txt file with problems in words; or a folder of the last three. Proofs and answers beside
    a problem are not read. All runs on this machine without --nats; what is missing is set up.

    Exit code 0 when every problem is proved, 1 when some is not.
    """
    if resume is not None and file is None and Path(resume).is_file():
        file, resume = Path(resume), LATEST
    of_run, of_workers = split_settings(settings)
    load_tables(of_workers)
    asked = _Asked(
        place=place_of(data, nats_url, scale, of_workers, start_workers=not no_workers),
        recheck=not no_recheck,
        report_dir=report_dir,
        web_port=web_port,
    )
    if resume is None:
        config = config or _default_config(asked.console, os.environ)
        loaded = load_run_config(config, env=os.environ, flags=of_run)
        if not no_workers:
            require_tier(loaded.verifier.tier)
        if file is None:
            raise click.UsageError("name a problem file, or --resume an earlier run")
        note = new_note(file, only, limit, config, of_run, layout)
    else:
        note = None
    found = run_interruptibly(_solve(asked, note, resume))
    show(found, "json" if as_json else "text")
    raise SystemExit(code_of(found))


def _default_config(console: Console, env: Mapping[str, str]) -> str:
    """With a language model where there is a key for one; which, is said."""
    key = key_variable(env)
    if key is None:
        console.print(f"configuration full: {KEY_VARIABLES[0]} is not set, no model is asked")
        return WITHOUT_MODEL
    console.print(f"configuration llm: {key} is set; --config full asks no model")
    return WITH_MODEL


async def _solve(asked: _Asked, note: RunNote | None, resume: str | None) -> RunReport:
    asked = replace(asked, place=await asked.place.ready())
    async with (
        asked.place.bus("cli/solve") as bus,
        page_beside(bus, asked.web_port, asked.workspace),
    ):
        if note is None:
            note = await note_to_resume(bus.reader, asked.workspace, resume or LATEST)
        return await _with_bus(bus, asked, note)


async def _with_bus(bus: Bus, asked: _Asked, note: RunNote) -> RunReport:
    asked.workspace.write_note(note)
    order = SolveOrder(
        run_id=note.run_id,
        config=load_run_config(note.config, env=os.environ, flags=note.settings),
        inputs=selected_inputs(note),
        versions=versions(contributed()),
    )
    await _tell_start(bus, asked, order)
    try:
        found = await _run(bus, asked, order, note.config)
        if asked.recheck:
            found = await _rechecked(bus, asked, found)
    except (asyncio.CancelledError, BusError) as error:
        hint = f"continue it with: ragsolver solve --resume {note.run_id}"
        if isinstance(error, BusError):
            asked.console.print(f"run {note.run_id} is unfinished; {hint}", markup=False)
            raise
        raise InterruptedRunError(f"interrupted: run {note.run_id}; {hint}") from error
    for folder in {asked.workspace.run(note.run_id), asked.report_dir} - {None}:
        write_report(found, Path(str(folder)))
    return found


async def _tell_start(bus: Bus, asked: _Asked, order: SolveOrder) -> None:
    asked.console.print(
        f"run {order.run_id}: {len(order.inputs)} inputs, configuration {order.config.name}, "
        f"logs in {asked.workspace.run(order.run_id) / 'logs'}",
        markup=False,
        soft_wrap=True,
    )
    for run in await list_runs(bus.reader):
        if not run.finished and run.problem_count is not None and run.run_id != order.run_id:
            asked.console.print(
                f"note: run {run.run_id} is unfinished and is worked on too; end it with "
                f"`ragsolver cancel {run.run_id}`",
                markup=False,
                soft_wrap=True,
            )


async def _run(bus: Bus, asked: _Asked, order: SolveOrder, inbox: str) -> RunReport:
    view = RunView(order.run_id)
    with progress_for(asked.console, view, order.announced) as progress:
        work = run_to_end(bus, order, view, progress)
        logs = asked.workspace.run(order.run_id) / "logs"
        async with asked.place.workers(bus, logs, inbox) as supervisor:
            return await while_alive(work, bus, supervisor)


async def _rechecked(bus: Bus, asked: _Asked, found: RunReport) -> RunReport:
    items = await accepted_proofs(bus.reader, found)
    recheck = installed_recheck()
    if not items:
        return found
    if recheck is None:
        asked.console.print("proofs are not checked again: no Lean worker is installed here")
        return found
    said = f"checking {len(items)} proofs again in a fresh Lean process"
    asked.console.print(said)
    stop = threading.Event()
    try:
        with asked.console.status("starting Lean") as status:
            results = await asyncio.to_thread(
                recheck_all,
                recheck,
                items,
                lambda done: status.update(f"{done} of {len(items)} proofs checked again"),
                stop,
            )
    finally:
        stop.set()
    for result in results:
        if not result.accepted:
            line = f"{result.problem_id}: not accepted again: {result.detail}"
            asked.console.print(printable(line), markup=False, style="bold red")
    return found.with_rechecks(results)
