"""`ragsolver replay TRACE`: a recorded run again, under the same or another configuration."""

import asyncio
import os
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import click

from ragsolver_contracts.ids import new_run_id
from ragsolver_contracts.replay import LlmPolicy, ReplayStage
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.cli.options import (
    bus_options,
    examples,
    json_option,
    load_tables,
    output,
    place_of,
    scale_option,
    set_option,
    split_settings,
)
from ragsolver_runtime.config import checked, load_run_config, merge, parse_flags
from ragsolver_runtime.doctor import contributed
from ragsolver_runtime.errors import BusError, ConfigError
from ragsolver_runtime.hosting import (
    InterruptedRunError,
    run_interruptibly,
    while_alive,
)
from ragsolver_runtime.intake import ROLE as INTAKE
from ragsolver_runtime.problem_files import read_names
from ragsolver_runtime.progress import progress_for
from ragsolver_runtime.replay.render import replay_text
from ragsolver_runtime.replay.replaying import (
    ReplayOrder,
    ReplayWishes,
    plan_replay,
    replay_to_end,
    resumed_order,
)
from ragsolver_runtime.replay.report import ReplayReport, replay_report
from ragsolver_runtime.replay.source import BusRun, FileRun
from ragsolver_runtime.run_notes import LATEST
from ragsolver_runtime.run_place import RunPlace
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import versions
from ragsolver_runtime.trace_file import TraceFile, TraceRun, open_trace, require_sound
from ragsolver_runtime.workspace import write_replay

DEFAULT_CONFIG = "full"
NO_INTAKE = f"{INTAKE}=0"
"""Problems come from the trace."""


@dataclass(frozen=True)
class _Asked:
    """The options of one `replay`."""

    place: RunPlace
    run_settings: tuple[str, ...]
    config: str | None
    wishes: ReplayWishes
    resume: str | None


@click.command(
    epilog=examples(
        "ragsolver replay run.jsonl",
        "ragsolver replay run.jsonl --config no_rag",
        "ragsolver replay run.jsonl --set retrieval.k=16 --only names.txt --json",
        "ragsolver replay run.jsonl --from retrieval",
        "ragsolver replay run.jsonl --recheck",
        "ragsolver replay run.jsonl --resume",
    )
)
@click.argument("trace", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--config", help="Run configuration or file.  [default: the recorded one]")
@click.option(
    "--from",
    "from_stage",
    type=click.Choice([stage.value for stage in ReplayStage]),
    help="Ask anew from this stage on, if that is earlier than what the configuration changes.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Only this problem, or those in a file with one name a line; may be repeated.",
)
@click.option(
    "--llm",
    type=click.Choice(["recorded", "live", "recorded-then-live"]),
    default="recorded",
    show_default=True,
    help="Where answers of the language model come from; `recorded` makes no call.",
)
@click.option("--recheck", is_flag=True, help="Ask Lean every statement and candidate again.")
@click.option("--run", "run_id", metavar="ID", help="Which run of a trace with several.")
@set_option
@scale_option
@bus_options
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    metavar="[RUN]",
    help="Continue replay RUN, or the latest unfinished one of this trace.",
)
@click.option("--no-workers", is_flag=True, help="Workers run already; start none.")
@json_option
def replay(
    trace: Path,
    config: str | None,
    from_stage: str | None,
    only: tuple[str, ...],
    llm: LlmPolicy,
    run_id: str | None,
    settings: tuple[str, ...],
    scale: tuple[str, ...],
    nats_url: str | None,
    data: Path | None,
    resume: str | None,
    *,
    recheck: bool,
    no_workers: bool,
    as_json: bool,
) -> None:
    """Run the problems of TRACE again, using its recorded answers, and say what differs.

    TRACE is a file of `ragsolver trace export`. The new run refers to the old one. With the same
    configuration it comes to the same state without asking Lean, the retriever or a language
    model. Whatever the differences touch is asked anew; every other answer is used again as long
    as its question is the same.

    Exit code 0 when both runs have the same state, 1 when some problem differs.
    """
    of_run, of_workers = split_settings(settings)
    load_tables(of_workers)
    if config is not None:
        load_run_config(config, env=os.environ, flags=of_run)
    asked = _Asked(
        place=place_of(
            data, nats_url, (*scale, NO_INTAKE), of_workers, start_workers=not no_workers
        ),
        run_settings=of_run,
        config=config,
        wishes=_wishes(llm, from_stage, only, recheck=recheck),
        resume=resume,
    )
    with open_trace(trace) as opened:
        require_sound(opened)
        found = run_interruptibly(_replay(asked, opened, opened.only_run(run_id)))
    if as_json:
        click.echo(found.model_dump_json(indent=2))
    else:
        output().print(replay_text(found), crop=False)
    raise SystemExit(ExitCode.OK if found.same else ExitCode.NOT_ALL)


def _wishes(
    llm: LlmPolicy, from_stage: str | None, only: tuple[str, ...], *, recheck: bool
) -> ReplayWishes:
    stage = ReplayStage(from_stage) if from_stage else None
    return ReplayWishes(llm=llm, from_stage=stage, only=_names(only), recheck=recheck)


def _names(only: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for name in only:
        path = Path(name)
        found += sorted(read_names(path)) if path.is_file() else [name]
    return tuple(dict.fromkeys(found))


async def _replay(asked: _Asked, trace: TraceFile, old: TraceRun) -> ReplayReport:
    order = None if asked.resume else _planned(asked, trace, old)
    asked = replace(asked, place=await asked.place.ready())
    async with asked.place.bus("cli/replay") as bus:
        if order is None:
            order = await resumed_order(bus.reader, trace, old.run_id, asked.resume or LATEST)
        return await _with_bus(bus, asked, trace, order)


def _planned(asked: _Asked, trace: TraceFile, old: TraceRun) -> ReplayOrder:
    parts = versions(contributed())
    config, terms = plan_replay(trace, old, _config(asked, old), asked.wishes, parts)
    return ReplayOrder(new_run_id(datetime.now(UTC)), config, terms, parts)


def _config(asked: _Asked, old: TraceRun) -> RunConfig | None:
    """The configuration that is asked for: by name, or the recorded one with some changes."""
    if asked.config is not None:
        return load_run_config(asked.config, env=os.environ, flags=asked.run_settings)
    if not asked.run_settings:
        return None
    changed = merge(old.config.model_dump(mode="json"), parse_flags(asked.run_settings))
    return checked(RunConfig, changed, "--set")


async def _with_bus(bus: Bus, asked: _Asked, trace: TraceFile, order: ReplayOrder) -> ReplayReport:
    place = asked.place
    folder = place.workspace.run(order.run_id)
    place.console.print(
        f"run {order.run_id} replays {order.replay.run_id} under {order.config.name}, "
        f"logs in {folder / 'logs'}",
        markup=False,
        soft_wrap=True,
    )
    view = RunView(order.run_id)
    hint = f"continue it with: ragsolver replay {trace.path} --resume {order.run_id}"
    try:
        total = sum(order.replay.outcomes.values())
        with progress_for(place.console, view, total) as progress:
            work = replay_to_end(bus, trace, order, view, progress)
            async with place.workers(bus, folder / "logs", DEFAULT_CONFIG) as supervisor:
                await while_alive(work, bus, supervisor)
    except ConfigError:
        raise
    except (asyncio.CancelledError, BusError) as error:
        if isinstance(error, BusError):
            place.console.print(f"run {order.run_id} is unfinished; {hint}", markup=False)
            raise
        raise InterruptedRunError(f"interrupted: run {order.run_id}; {hint}") from error
    old = FileRun(trace, order.replay.run_id)
    found = await replay_report(old, BusRun(bus.reader, order.run_id))
    write_replay(found, folder)
    return found
