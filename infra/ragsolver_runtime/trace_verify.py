"""Checking a trace file: every line, the chain, the order, what caused what, and every fold.

Two passes, so that a trace larger than the memory can be checked: the first reads every line once
and indexes it on disk; the second folds one problem at a time.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ragsolver_contracts.case import Case
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.recheck import RecheckItem, recheck_item
from ragsolver_runtime.trace import AnyLine, BadLine, TraceLine
from ragsolver_runtime.trace_calls import FamilyAccounts, order_breaches
from ragsolver_runtime.trace_file import TraceFile, open_trace
from ragsolver_runtime.trace_rules import CAUSED, case_breaches, run_breaches

MOST_FAULTS = 10_000
"""Faults that are kept; a file of garbage has no end of them."""


@dataclass(frozen=True)
class Fault:
    """Something that is wrong, and where."""

    line: int | None
    """1-based line of the file, where one line shows it."""
    rule: str
    """`line`, `chain`, `order`, `duplicate`, `causation`, `versions`, `gap`, `budget`, `proof`,
    `fold`, `count`, or `lean`."""
    where: str
    """`run/problem`."""
    message: str


@dataclass
class TraceCheck:
    """What was found in a trace."""

    lines: int = 0
    """Events and lines that are none; without closing lines."""
    chain: Literal["complete", "broken", "missing"] = "missing"
    """`missing`: exported by an older version, without digests."""
    head: str = ""
    """Digest of the last line: whoever noted it can tell a file that was written anew."""
    runs: dict[str, str] = field(default_factory=dict)
    """Configuration name by run."""
    outcomes: dict[str, dict[str, Outcome | None]] = field(default_factory=dict)
    """Outcome by run and problem."""
    faults: list[Fault] = field(default_factory=list)
    proofs: list[tuple[str, RecheckItem]] = field(default_factory=list)
    """Run and accepted proof, for the second check."""


@dataclass
class _Seen:
    last_seq: int = 0
    versions: dict[str, str] | None = None


class _FirstPass:
    """What one line shows by itself and beside the lines before it."""

    def __init__(self, check: TraceCheck) -> None:
        self._check = check
        self._runs: dict[str, _Seen] = {}

    def look(self, line: AnyLine, broken: list[str], trace: TraceFile) -> None:
        """Note the faults of one line."""
        where = line.event.entity if isinstance(line, TraceLine) else ""
        for said in broken:
            self._add(line.number, "chain", where, said)
        if isinstance(line, BadLine):
            self._check.lines += 1
            self._add(line.number, "line", "", line.message)
        elif isinstance(line, TraceLine):
            self._check.lines += 1
            self._look_at_event(line, trace)

    def _look_at_event(self, line: TraceLine, trace: TraceFile) -> None:
        event, record = line.event, line.record
        run = self._runs.setdefault(event.run_id, _Seen())
        first = trace.line_of(event.id)
        if first is not None:
            self._add(line.number, "duplicate", event.entity, f"the event of line {first} again")
        elif record.seq <= run.last_seq:
            said = f"seq {record.seq} after {run.last_seq}"
            self._add(line.number, "order", event.entity, said)
        run.last_seq = max(run.last_seq, record.seq)
        if run.versions is None:
            run.versions = record.versions
        elif record.versions != run.versions:
            said = "versions differ from the lines before"
            self._add(line.number, "versions", event.entity, said)
        if event.causationid is None and isinstance(event.data, CAUSED):
            self._add(line.number, "causation", event.entity, f"{event.name} names no cause")

    def _add(self, line: int, rule: str, where: str, said: str) -> None:
        if len(self._check.faults) < MOST_FAULTS:
            self._check.faults.append(Fault(line, rule, where, said))


def verify_trace(path: Path) -> TraceCheck:
    """Check a trace file; Lean is not asked here, `TraceCheck.proofs` says what to ask.

    Args:
        path: JSONL as `trace export` writes it.

    Raises:
        OSError: the file cannot be read.
    """
    check = TraceCheck()
    first = _FirstPass(check)
    with open_trace(path, first.look) as trace:
        if not trace.lines:
            check.faults.append(Fault(None, "line", "", "the trace is empty"))
        ended = trace.chain.end()
        if ended is not None:
            check.faults.append(Fault(trace.chain.last_line, "chain", "", ended))
        if trace.chain.chained:
            broken = any(fault.rule == "chain" for fault in check.faults)
            check.chain = "broken" if broken else "complete"
            check.head = trace.chain.head
        for run_id, run in trace.runs.items():
            check.runs[run_id] = run.started.config.name if run.started else ""
            _second_pass(trace, check, run_id)
    check.faults.sort(key=lambda fault: (fault.line is None, fault.line or 0))
    return check


def _second_pass(trace: TraceFile, check: TraceCheck, run_id: str) -> None:
    run = trace.runs[run_id]
    for line, problem_id, cause, later in trace.broken_causes(run_id):
        said = f"comes only in line {later}" if later else "is not in the trace"
        entity = f"{run_id}/{problem_id}"
        check.faults.append(Fault(line, "causation", entity, f"cause {cause} {said}"))
    outcomes: dict[str, Outcome | None] = {}
    families = FamilyAccounts()
    for problem_id in trace.problem_ids(run_id):
        case = _folded(trace, check, run_id, problem_id)
        families.look(case)
        if case.problem is None or case.problem.parent is None:
            outcomes[problem_id] = case.outcome
        ordered = order_breaches(trace.events(run_id, problem_id))
        for breach in (*case_breaches(case), *ordered):
            at = trace.line_of(breach.event_id)
            check.faults.append(Fault(at, breach.rule, f"{run_id}/{problem_id}", breach.message))
        try:
            item = recheck_item(case)
        except ValueError as error:
            check.faults.append(Fault(None, "proof", f"{run_id}/{problem_id}", str(error)))
        else:
            check.proofs += [(run_id, item)] if item is not None else []
    check.outcomes[run_id] = outcomes
    of_run = run_breaches(run.started, run.finished, outcomes)
    for breach in (*of_run, *families.breaches()):
        check.faults.append(Fault(None, breach.rule, run_id, breach.message))


def _folded(trace: TraceFile, check: TraceCheck, run_id: str, problem_id: str) -> Case:
    events = list(trace.events(run_id, problem_id))
    config = trace.runs[run_id].config
    case = Case.fold(run_id, problem_id, events, config)
    if Case.fold(run_id, problem_id, reversed(events), config).outcome != case.outcome:
        said = "the outcome depends on the order of the events"
        check.faults.append(Fault(None, "fold", f"{run_id}/{problem_id}", said))
    return case
