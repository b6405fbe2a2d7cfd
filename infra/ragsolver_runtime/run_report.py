"""The report of a run: one value for people and machines alike, built from its events."""

from collections.abc import Iterable

from pydantic import AwareDatetime, Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_contracts.report import Outcome, SolutionReport
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.lean_advisories import known_advisories
from ragsolver_runtime.model_use import ModelTotals, ModelUse
from ragsolver_runtime.recheck import RecheckResult
from ragsolver_runtime.run_children import ChildEntry, children_below
from ragsolver_runtime.run_view import ProblemView, RunView


class RecheckEntry(Model):
    """What a second, fresh Lean process said of an accepted proof."""

    accepted: bool
    failed: bool = False
    """The check could not be done, which says nothing of the proof."""
    detail: str = ""


class ProblemEntry(Model):
    """One problem, or one input that never became a problem."""

    problem_id: str
    name: str
    file: str = ""
    line: int | None = None
    dataset: str = ""
    licence: str = ""
    """Of the dataset."""
    split: str = ""
    outcome: Outcome | None
    """None: still open."""
    stage: str
    reason: str = ""
    """Why it was refused, in one word."""
    message: str = ""
    elapsed_s: float | None = None
    """From its first event to its end."""
    events: int
    compatibility_header: bool = False
    """The statement was tried under the core-Lean header instead of its own."""
    report: SolutionReport | None = None
    recheck: RecheckEntry | None = None
    children: tuple[ChildEntry, ...] = ()
    """Holes of its sketches that were problems; they are not counted as problems of the run."""


class WorkerShare(Model):
    """What one process contributed."""

    source: str
    """`<role>/<instance>`."""
    events: dict[str, int]
    total: int
    lean_ms: float = 0.0


class RunReport(Model):
    """Everything about one run."""

    run_id: str
    config: str = ""
    config_digest: str = ""
    versions: dict[str, str] = Field(default_factory=dict)
    parent_run: str | None = None
    state_hash: str = ""
    """What the run came to, as one hash; only in the JSON report, for it takes every event."""
    started_at: AwareDatetime | None = None
    finished_at: AwareDatetime | None = None
    elapsed_s: float = 0.0
    """From the start to the end, or to the latest event of an unfinished run."""
    problem_count: int | None = None
    """Inputs announced at the start."""
    outcomes: dict[str, int]
    """Problems and refused inputs by outcome."""
    refused_inputs: int = 0
    """Refused before they were problems; counted among `refused` too."""
    open: int = 0
    llm_calls: int = 0
    cost_usd: float = 0.0
    """Of the calls that were made now."""
    language_model: ModelTotals = ModelTotals()
    model_uses: tuple[ModelUse, ...] = ()
    """Calls, tokens and cost by agent and model."""
    lean_ms: float = 0.0
    retrieved: int = 0
    """Chunks that were retrieved for problems that are proved."""
    used: int = 0
    """Those of them that a proof rests on."""
    problems: tuple[ProblemEntry, ...]
    workers: tuple[WorkerShare, ...]
    advisories: dict[str, str] = Field(default_factory=dict)
    """Known holes of the Lean kernels that accepted the proofs, by id, each in one sentence."""

    @property
    def precision(self) -> float | None:
        """Lemma-use precision over proved problems; none where nothing was retrieved for one."""
        return self.used / self.retrieved if self.retrieved else None

    @property
    def all_solved(self) -> bool:
        """Whether there was something to solve and all of it is proved."""
        return bool(self.problems) and all(p.outcome is Outcome.SOLVED for p in self.problems)

    @property
    def infrastructure_failed(self) -> bool:
        """Whether something failed that says nothing of the mathematics."""
        return any(
            p.outcome is Outcome.INFRASTRUCTURE or (p.recheck and not p.recheck.accepted)
            for p in self.problems
        )

    def with_rechecks(self, results: Iterable[RecheckResult]) -> "RunReport":
        """The report with the second check's word on each proof."""
        by_id = {
            r.problem_id: RecheckEntry(accepted=r.accepted, failed=r.failed, detail=r.detail)
            for r in results
        }
        problems = tuple(
            p.model_copy(update={"recheck": by_id[p.problem_id]}) if p.problem_id in by_id else p
            for p in self.problems
        )
        return self.model_copy(update={"problems": problems})


def run_report(view: RunView) -> RunReport:
    """The report of a run as far as its events were seen."""
    below = children_below(view.children.values())
    entries = sorted(
        (problem_entry(p, below(p.problem_id)) for p in view.problems.values()),
        key=_in_file_order,
    )
    reports = [p.report for p in entries if p.report is not None]
    proved = [r for r in reports if r.precision is not None]
    end = view.finished_at or view.last_at
    started, totals = view.started, view.calls.totals
    return RunReport(
        run_id=view.run_id,
        config=started.config.name if started else "",
        config_digest=started.config_digest if started else "",
        versions=started.versions if started else {},
        parent_run=started.parent_run if started else None,
        started_at=view.started_at,
        finished_at=view.finished_at,
        elapsed_s=_seconds(view.started_at, end),
        problem_count=started.problem_count if started else None,
        outcomes=dict(view.outcomes()),
        refused_inputs=sum(p.was_input_only for p in view.problems.values()),
        open=len(view.open_problems),
        llm_calls=totals.calls,
        cost_usd=totals.cost_usd,
        language_model=totals,
        model_uses=view.calls.uses,
        lean_ms=view.lean_ms,
        retrieved=sum(r.retrieved for r in proved),
        used=sum(r.used for r in proved),
        problems=tuple(entries),
        workers=tuple(
            WorkerShare(
                source=worker.source,
                events=dict(sorted(worker.events.items())),
                total=worker.events.total(),
                lean_ms=worker.lean_ms,
            )
            for worker in sorted(view.workers.values(), key=lambda w: w.source)
        ),
        advisories=_advisories(reports),
    )


def _advisories(reports: Iterable[SolutionReport]) -> dict[str, str]:
    """The advisories that the proofs' verdicts name; without a sentence where ours has none."""
    named = {i for r in reports if r.proof is not None for i in r.proof.toolchain.advisories}
    known = {a.id: a.summary for a in known_advisories()} if named else {}
    return {advisory: known.get(advisory, "") for advisory in sorted(named)}


def report_of_events(run_id: str, events: Iterable[AnyEvent]) -> RunReport:
    """The report of a run from its events, in any order."""
    view = RunView(run_id)
    for event in events:
        view.apply(event)
    return run_report(view)


class CandidateEntry(Model):
    """One candidate and what became of it."""

    attempt: int
    candidate: int
    strategy: str
    negated: bool
    proof: str
    status: str
    """`accepted`, `rejected`, `inconclusive`, `failed`, or `not needed`."""
    reason: str = ""
    detail: str = ""
    elapsed_ms: float = 0.0
    judged_by: str = ""


class ProblemDetail(Model):
    """One problem with every candidate, for `report --problem`."""

    entry: ProblemEntry
    statement: str = ""
    header: str = ""
    candidates: tuple[CandidateEntry, ...]
    failures: tuple[str, ...] = ()
    """Dead letters, in words."""


def problem_detail(case: Case) -> ProblemDetail:
    """Everything about one problem, from its fold."""
    view = RunView(case.run_id)
    for event in case.events.values():
        view.apply(event)
    found = view.problems.get(case.problem_id) or view.children.get(case.problem_id)
    judges = {
        (e.data.attempt, e.data.candidate): e.source
        for e in case.events_of(VerdictIssued)
        if isinstance(e.data, VerdictIssued)
    }
    return ProblemDetail(
        entry=problem_entry(found or ProblemView(case.problem_id)),
        statement=(case.stated.formal_statement or "") if case.stated else "",
        header=case.statement.header if case.statement else "",
        candidates=tuple(_candidate(case, key, judges) for key in case.candidates),
        failures=tuple(
            f"{f.failed_role} failed at {f.stage} on {f.trigger_type}: {f.error}: {f.message}"
            for f in [*case.work_failures, *case.candidate_failures.values()]
        ),
    )


def _candidate(
    case: Case, key: tuple[int, int], judges: dict[tuple[int, int], str]
) -> CandidateEntry:
    proposed, issued = case.candidates[key], case.verdicts.get(key)
    failed = case.candidate_failures.get(key)
    status, reason, detail = "not needed", "", ""
    if issued is not None:
        verdict = issued.verdict
        status, reason = verdict.status.value, verdict.reason.value if verdict.reason else ""
        detail = verdict.detail
        if verdict.status is not VerdictStatus.ACCEPTED and verdict.diagnostics:
            detail = detail or verdict.diagnostics[0].text
    elif failed is not None:
        status, reason, detail = "failed", failed.error, failed.message
    elif case.outcome is None:
        status = "open"
    return CandidateEntry(
        attempt=proposed.attempt,
        candidate=proposed.candidate,
        strategy=proposed.strategy,
        negated=proposed.negated,
        proof=proposed.text.proof,
        status=status,
        reason=reason,
        detail=detail,
        elapsed_ms=issued.verdict.elapsed_ms if issued else 0.0,
        judged_by=judges.get(key, ""),
    )


def problem_entry(view: ProblemView, children: tuple[ChildEntry, ...] = ()) -> ProblemEntry:
    """One problem of the view as a line of the report."""
    return ProblemEntry(
        problem_id=view.problem_id,
        name=view.label,
        file=view.file,
        line=view.line,
        dataset=view.dataset,
        licence=view.licence,
        split=view.split,
        outcome=view.outcome,
        stage=view.stage.value,
        reason=view.reason,
        message=view.message,
        elapsed_s=_seconds(view.first_at, view.ended_at) if view.ended_at else None,
        events=view.events,
        compatibility_header=view.compatibility,
        report=view.report,
        children=children,
    )


def _in_file_order(entry: ProblemEntry) -> tuple[bool, int, str]:
    return (entry.line is None, entry.line or 0, entry.problem_id)


def _seconds(start: AwareDatetime | None, end: AwareDatetime | None) -> float:
    return max(0.0, (end - start).total_seconds()) if start and end else 0.0
