"""`ragsolver eval solve | report`: run configurations compared."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console

from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_contracts.ids import new_run_id
from ragsolver_runtime.cli.eval_runs import EvaluationRuns, evaluate
from ragsolver_runtime.cli.main import OpenGroup
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
from ragsolver_runtime.config import load_run_config
from ragsolver_runtime.evaluate.contamination import check_contamination, probes
from ragsolver_runtime.evaluate.files import write_files
from ragsolver_runtime.evaluate.outcomes import read_runs
from ragsolver_runtime.evaluate.plots import require_plots, write_plots
from ragsolver_runtime.evaluate.running import (
    Configuration,
    EvaluationOrder,
    planned_runs,
    read_order,
    write_order,
)
from ragsolver_runtime.evaluate.summary import EvaluationReport, summarize
from ragsolver_runtime.evaluate.tables import report_markdown
from ragsolver_runtime.hosting import run_interruptibly
from ragsolver_runtime.run_notes import new_note, selected_inputs
from ragsolver_runtime.workspace import RunNote

DEFAULT_CONFIGS = "full,no_rag,no_rerank,no_critic,no_plan"
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group("eval", cls=OpenGroup)
def evaluation() -> None:
    """Compare run configurations, or measure a part."""


@evaluation.command(
    "solve",
    epilog=examples(
        "ragsolver eval solve problems.jsonl -o report",
        "ragsolver eval solve problems.jsonl --configs full,no_rag --repetitions 3 -o report",
        "ragsolver eval solve FATE-M.json --limit 20 -o report",
        "ragsolver eval solve --resume -o report",
    ),
)
@click.argument("file", required=False, type=click.Path(exists=True, path_type=Path))
@format_option
@click.option(
    "--configs",
    default=DEFAULT_CONFIGS,
    show_default=True,
    help="Run configurations, names or files; the first is the baseline.",
)
@click.option(
    "--repetitions",
    "--seeds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Runs per configuration, each with its own seed.",
)
@click.option("--seed", type=int, help="Seed of the first repetition.  [default: as configured]")
@click.option("--only", type=_FILE, help="Only the problems named in this list, one name a line.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N problems.")
@set_option
@scale_option
@bus_options
@click.option(
    "-o",
    "--output",
    "folder",
    type=_FOLDER,
    default="evaluation",
    show_default=True,
    help="The report folder.",
)
@click.option("--resume", is_flag=True, help="Go on with the evaluation in the report folder.")
@click.option("--no-plots", is_flag=True, help="Draw nothing.")
@click.option("--no-contamination", is_flag=True, help="Do not look for the problems in corpora.")
@click.option("--no-workers", is_flag=True, help="Workers run already; start none.")
@json_option
def solve_command(
    file: Path | None,
    layout: str,
    configs: str,
    repetitions: int,
    seed: int | None,
    only: Path | None,
    limit: int | None,
    settings: tuple[str, ...],
    scale: tuple[str, ...],
    nats_url: str | None,
    data: Path | None,
    folder: Path,
    *,
    resume: bool,
    no_plots: bool,
    no_contamination: bool,
    no_workers: bool,
    as_json: bool,
) -> None:
    """Solve the problems of FILE under several configurations, on one bus, and compare them.

    FILE is read as by `solve`. One set of workers does all runs, one after the other. The report
    folder gets the traces of the runs and everything that `eval report` makes of them.
    """
    of_run, of_workers = split_settings(settings)
    tables = load_tables(of_workers)
    if not no_plots:
        require_plots()
    place = place_of(data, nats_url, scale, of_workers, start_workers=not no_workers)
    asked = EvaluationRuns(place, folder)
    if resume:
        order = read_order(folder)
    elif file is None:
        raise click.UsageError("name a problem file, or --resume an evaluation")
    else:
        note = new_note(file, only, limit, configs, of_run, layout)
        retriever = None if no_contamination else tables.get("retriever", {})
        order = _new_order(note, configs, (repetitions, seed), retriever, place.console)
        write_order(order, folder)
    traces = run_interruptibly(evaluate(asked, order))
    _report(traces, order.baseline, folder, plots=not no_plots, as_json=as_json)


def _new_order(
    note: RunNote,
    configs: str,
    repeated: tuple[int, int | None],
    retriever: dict[str, object] | None,
    console: Console,
) -> EvaluationOrder:
    """What is asked, with the problems compared with the corpora.

    Args:
        note: which problems, and the settings of the runs.
        configs: names or files, separated by commas.
        repeated: number of repetitions, and the first seed.
        retriever: its worker settings; none: nothing is compared.
        console: told what is done.
    """
    wanted = []
    for given in filter(None, (name.strip() for name in configs.split(","))):
        config = load_run_config(given, env=os.environ, flags=note.settings)
        where = str(Path(given).resolve()) if given.endswith(".toml") else given
        wanted.append(Configuration(where, config))
    if not wanted:
        raise click.UsageError("--configs names no configuration")
    runs = tuple(planned_runs(wanted, *repeated))
    found = ContaminationCheck(skipped="No corpus was compared: --no-contamination.")
    if retriever is not None:
        console.print("comparing the problems with the corpora")
        found = check_contamination(probes(selected_inputs(note)), retriever)
    return EvaluationOrder(
        evaluation_id=f"e{new_run_id(datetime.now(UTC))[1:]}",
        file=note.file,
        layout=note.layout,
        only=note.only,
        limit=note.limit,
        selection=note.selection,
        baseline=wanted[0].config.name,
        contamination=found,
        runs=runs,
    )


@evaluation.command(
    "report",
    epilog=examples(
        "ragsolver eval report report/traces/*.jsonl -o again",
    ),
)
@click.argument("traces", nargs=-1, required=True, type=_FILE)
@click.option("--baseline", default="", help="What the others are compared with.")
@click.option(
    "-o",
    "--output",
    "folder",
    type=_FOLDER,
    default="evaluation",
    show_default=True,
    help="The report folder.",
)
@click.option("--no-plots", is_flag=True, help="Draw nothing.")
@json_option
def report_command(
    traces: tuple[Path, ...], baseline: str, folder: Path, *, no_plots: bool, as_json: bool
) -> None:
    """Make the report of TRACES again: the same JSON and CSV, byte for byte."""
    if not no_plots:
        require_plots()
    _report(list(traces), baseline, folder, plots=not no_plots, as_json=as_json)


def _report(
    traces: list[Path], baseline: str, folder: Path, *, plots: bool, as_json: bool
) -> EvaluationReport:
    found = summarize(read_runs(traces), baseline)
    files = write_files(found, folder)
    files += write_plots(found, folder / "plots") if plots else []
    click.echo(found.model_dump_json(indent=1) if as_json else report_markdown(found))
    click.echo(f"{len(files)} files in {folder}", err=True)
    return found
