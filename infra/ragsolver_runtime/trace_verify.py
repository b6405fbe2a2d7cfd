"""Checking a trace file: every line, the order, what caused what, and every fold.

Two passes, so that a trace larger than the memory can be checked: the first reads every line once
and remembers where each problem's lines are; the second folds one problem at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import RunFinished, RunStarted
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.recheck import RecheckItem, recheck_item
from ragsolver_runtime.trace import BadLine, TraceLine, parse_line, read_trace
from ragsolver_runtime.trace_rules import CAUSED, case_breaches, run_breaches


@dataclass(frozen=True)
class Fault:
    """Something that is wrong, and where."""

    line: int | None
    """1-based line of the file, where one line shows it."""
    rule: str
    """`line`, `order`, `duplicate`, `causation`, `versions`, `gap`, `budget`, `proof`, `fold`,
    `count`, or `lean`."""
    where: str
    """`run/problem`."""
    message: str


@dataclass
class TraceCheck:
    """What was found in a trace."""

    lines: int = 0
    runs: dict[str, str] = field(default_factory=dict)
    """Configuration name by run."""
    outcomes: dict[str, dict[str, Outcome | None]] = field(default_factory=dict)
    """Outcome by run and problem."""
    faults: list[Fault] = field(default_factory=list)
    proofs: list[tuple[str, RecheckItem]] = field(default_factory=list)
    """Run and accepted proof, for the second check."""


@dataclass(frozen=True)
class _Place:
    line: int
    offset: int


@dataclass
class _Problem:
    places: list[_Place] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """Line by event id."""
    awaited: list[tuple[int, str]] = field(default_factory=list)
    """Line and cause that had not been seen when the line was read."""


@dataclass
class _Run:
    last_seq: int = 0
    started: RunStarted | None = None
    finished: RunFinished | None = None
    versions: dict[str, str] | None = None
    problems: dict[str, _Problem] = field(default_factory=dict)


def verify_trace(path: Path) -> TraceCheck:
    """Check a trace file; Lean is not asked here, `TraceCheck.proofs` says what to ask.

    Args:
        path: JSONL as `trace export` writes it.

    Raises:
        OSError: the file cannot be read.
    """
    check = TraceCheck()
    runs: dict[str, _Run] = {}
    with path.open("rb") as stream:
        _first_pass(stream, check, runs)
        if not check.lines:
            check.faults.append(Fault(None, "line", "", "the trace is empty"))
        for run_id, run in runs.items():
            check.runs[run_id] = run.started.config.name if run.started else ""
            _second_pass(stream, check, run_id, run)
    check.faults.sort(key=lambda fault: (fault.line is None, fault.line or 0))
    return check


def _first_pass(stream: BinaryIO, check: TraceCheck, runs: dict[str, _Run]) -> None:
    offsets: list[int] = []
    for line in read_trace(_located(stream, offsets)):
        check.lines += 1
        if isinstance(line, BadLine):
            check.faults.append(Fault(line.number, "line", "", line.message))
            continue
        run = runs.setdefault(line.event.run_id, _Run())
        problem = run.problems.setdefault(line.event.problem_id, _Problem())
        check.faults += _line_faults(line, run, problem)
        problem.places.append(_Place(line.number, offsets[-1]))
        problem.lines.setdefault(line.event.id, line.number)
        if isinstance(line.event.data, RunStarted):
            run.started = line.event.data
        elif isinstance(line.event.data, RunFinished):
            run.finished = line.event.data


def _located(stream: BinaryIO, offsets: list[int]) -> Iterator[bytes]:
    """The lines, each one's offset put last into `offsets` before it is given out."""
    offset = 0
    for raw in stream:
        offsets[:] = [offset]
        offset += len(raw)
        yield raw


def _line_faults(line: TraceLine, run: _Run, problem: _Problem) -> Iterator[Fault]:
    event, number = line.event, line.number
    first = problem.lines.get(event.id)
    if first is not None:
        yield Fault(number, "duplicate", event.entity, f"the event of line {first} again")
    elif line.record.seq <= run.last_seq:
        said = f"seq {line.record.seq} after {run.last_seq}"
        yield Fault(number, "order", event.entity, said)
    run.last_seq = max(run.last_seq, line.record.seq)
    if run.versions is None:
        run.versions = line.record.versions
    elif line.record.versions != run.versions:
        yield Fault(number, "versions", event.entity, "versions differ from the lines before")
    if event.causationid is None:
        if isinstance(event.data, CAUSED):
            said = f"{event.name} names no cause"
            yield Fault(number, "causation", event.entity, said)
    elif event.causationid not in problem.lines:
        problem.awaited.append((number, event.causationid))


def _second_pass(stream: BinaryIO, check: TraceCheck, run_id: str, run: _Run) -> None:
    outcomes: dict[str, Outcome | None] = {}
    for problem_id, problem in run.problems.items():
        entity = f"{run_id}/{problem_id}"
        for number, cause in problem.awaited:
            later = problem.lines.get(cause)
            said = f"comes only in line {later}" if later else "is not in the trace"
            check.faults.append(Fault(number, "causation", entity, f"cause {cause} {said}"))
        if problem_id == RUN_SCOPE:
            continue
        case = _fold(stream, check, run_id, problem_id, run)
        outcomes[problem_id] = case.outcome
        for breach in case_breaches(case):
            at = problem.lines.get(breach.event_id or "")
            check.faults.append(Fault(at, breach.rule, entity, breach.message))
        try:
            item = recheck_item(case)
        except ValueError as error:
            check.faults.append(Fault(None, "proof", entity, str(error)))
        else:
            check.proofs += [(run_id, item)] if item is not None else []
    check.outcomes[run_id] = outcomes
    for breach in run_breaches(run.started, run.finished, outcomes):
        check.faults.append(Fault(None, breach.rule, run_id, breach.message))


def _fold(stream: BinaryIO, check: TraceCheck, run_id: str, problem_id: str, run: _Run) -> Case:
    events: list[AnyEvent] = []
    for place in run.problems[problem_id].places:
        stream.seek(place.offset)
        line = parse_line(place.line, stream.readline())
        if isinstance(line, TraceLine):
            events.append(line.event)
    config = run.started.config if run.started else None
    case = Case.fold(run_id, problem_id, events, config)
    if Case.fold(run_id, problem_id, reversed(events), config).outcome != case.outcome:
        said = "the outcome depends on the order of the events"
        check.faults.append(Fault(None, "fold", f"{run_id}/{problem_id}", said))
    return case
