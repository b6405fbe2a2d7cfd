"""One replay: a recorded run's problems in a new run, with its answers used again.

All state is on the bus: doing the same again with the same run id after any interruption
continues where it stopped, and doubles nothing.
"""

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_run import ProblemCancelled, ProblemRefused, ProblemSubmitted
from ragsolver_contracts.ids import REFUSED_INPUT_PREFIX
from ragsolver_contracts.replay import LlmPolicy, Replay, ReplayStage, StageReason
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.follow import Progress
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.replay.recording import record, recording_id
from ragsolver_runtime.replay.touched import (
    config_differences,
    first_stage,
    version_differences,
)
from ragsolver_runtime.replay.wanted import wanted, was_posted
from ragsolver_runtime.run_notes import LATEST
from ragsolver_runtime.run_report import RunReport
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import list_runs, start_run
from ragsolver_runtime.solving import until_ended
from ragsolver_runtime.trace_file import TraceFile, TraceRun, require_sound

SOURCE = "cli/replay"
BY_REPLAY = "replay"
"""Who asked for a cancellation that a replay itself made."""


@dataclass(frozen=True)
class ReplayWishes:
    """What a person may ask of a replay."""

    llm: LlmPolicy = "recorded"
    from_stage: ReplayStage | None = None
    """Ask anew from here on at the latest; never later than what the differences touch."""
    only: tuple[str, ...] = ()
    """Names of problems; empty: all."""
    recheck: bool = False
    """Ask Lean everything again."""


@dataclass(frozen=True)
class ReplayOrder:
    """What one replay is to do."""

    run_id: str
    """The new run."""
    config: RunConfig
    replay: Replay
    versions: dict[str, str]


def plan_replay(
    trace: TraceFile,
    old: TraceRun,
    config: RunConfig | None,
    wishes: ReplayWishes,
    versions: Mapping[str, str],
) -> tuple[RunConfig, Replay]:
    """The configuration and the terms of a replay; nothing is started.

    Args:
        trace: the opened trace.
        old: its run that is replayed.
        config: the new configuration; none for the old one.
        wishes: what is asked of it.
        versions: of this installation, as `run_started` records them.

    Raises:
        ConfigError: the trace is not sound, has no start of the run, or lacks a wished problem.
    """
    require_sound(trace)
    if old.started is None:
        raise ConfigError(f"{trace.path}: run {old.run_id} has no run_started: nothing to replay")
    for name in wishes.only:
        if not trace.has_problem(old.run_id, name):
            raise ConfigError(f"{trace.path}: run {old.run_id} has no problem {name!r}")
    config = config or old.started.config
    reasons = [*version_differences(old.started.versions, versions)]
    reasons += config_differences(old.started.config, config)
    wished = wishes.from_stage
    if wished is not None:
        reasons.append(StageReason(what="--from", stage=wished))
    posted = (c for c in trace.cases(old.run_id) if was_posted(c) and wanted(wishes.only, c))
    outcomes = Counter(case.outcome.value if case.outcome else "open" for case in posted)
    return config, Replay(
        run_id=old.run_id,
        trace_digest=trace.digest,
        recording=recording_id(old.run_id, trace.digest),
        llm=wishes.llm,
        live_from=first_stage(reasons),
        recheck=wishes.recheck,
        reasons=tuple(reasons),
        only=wishes.only,
        outcomes=dict(outcomes),
    )


async def replay_to_end(
    bus: Bus, trace: TraceFile, order: ReplayOrder, view: RunView, progress: Progress
) -> RunReport:
    """Record the answers, start or continue the new run, and wait until every problem ended.

    Args:
        bus: with workers on it.
        trace: the opened trace.
        order: what to do.
        view: of the new run; filled.
        progress: told what happens.
    """
    replay = order.replay
    await record(bus.publisher, replay.recording, _selected(trace, replay))
    count = sum(replay.outcomes.values())
    await start_run(
        bus.publisher, order.run_id, order.config, order.versions, count, replays=replay
    )
    return await until_ended(bus, _post(bus, trace, order), view, progress)


def _selected(trace: TraceFile, replay: Replay) -> Iterable[Case]:
    return (case for case in trace.cases(replay.run_id) if wanted(replay.only, case))


async def _post(bus: Bus, trace: TraceFile, order: ReplayOrder) -> set[str]:
    """Put the old run's problems and refused inputs on the bus as they were."""
    expected: set[str] = set()
    async for case, payload, source in _inputs(trace, order.replay):
        event = make_event(
            payload,
            run_id=order.run_id,
            problem_id=case.problem_id,
            source=SOURCE,
            time=datetime.now(UTC),
            recorded_from=f"{source.run_id}/{source.id}",
        )
        await bus.publisher.publish(event)
        expected.add(case.problem_id)
    return expected


async def _inputs(
    trace: TraceFile, replay: Replay
) -> AsyncIterator[tuple[Case, Payload, AnyEvent]]:
    """What people said in the old run: problems, broken inputs, cancellations.

    A cancellation comes first: where it fell is an accident of time, so no work is begun.
    """
    for case in filter(was_posted, _selected(trace, replay)):
        refused = case.problem_id.startswith(REFUSED_INPUT_PREFIX)
        for kind in (ProblemRefused,) if refused else (ProblemCancelled, ProblemSubmitted):
            for event in case.events_of(kind):
                data = event.data
                if isinstance(data, ProblemCancelled) and data.requested_by == BY_REPLAY:
                    continue
                yield case, data, event


async def resumed_order(
    reader: EventReader, trace: TraceFile, old_run: str, run_id: str
) -> ReplayOrder:
    """The order of a replay that was begun, from its own `run_started`.

    Args:
        reader: the bus.
        trace: the trace that it replays.
        old_run: the run in it.
        run_id: the replay, or `LATEST` for the latest unfinished one of this trace.

    Raises:
        ConfigError: there is none, or it replays something else.
    """
    if run_id == LATEST:
        found = [r async for r in _replays(reader, trace, old_run)]
        if not found:
            raise ConfigError(f"no unfinished replay of {trace.path} on this bus")
        run_id = found[-1]
    started = await reader.run_started(run_id)
    if started is None or started.replays is None:
        raise ConfigError(f"run {run_id!r} is no replay on this bus")
    if (started.replays.trace_digest, started.replays.run_id) != (trace.digest, old_run):
        raise ConfigError(f"run {run_id} replays another trace than {trace.path}")
    return ReplayOrder(run_id, started.config, started.replays, started.versions)


async def _replays(reader: EventReader, trace: TraceFile, old_run: str) -> AsyncIterator[str]:
    for run in await list_runs(reader):
        started = await reader.run_started(run.run_id)
        terms = started.replays if started is not None else None
        same = terms is not None and terms.trace_digest == trace.digest
        if not run.finished and same and terms is not None and terms.run_id == old_run:
            yield run.run_id
