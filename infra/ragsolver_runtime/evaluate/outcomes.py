"""What one run says of each of its problems, read from its events alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from pydantic import AwareDatetime, Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.evaluation import Evaluation
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemRefused, ProblemSubmitted, RunStarted
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemSolved,
)
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.report import Outcome, SolutionReport
from ragsolver_contracts.retrieval import Citation
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.trace_file import TraceFile, open_trace, require_sound

OPEN = "open"
"""Outcome of a problem that had not ended when the trace was written."""
_SPENT = (
    "candidates",
    "candidate_failures",
    "verdicts",
    "input_tokens",
    "output_tokens",
    "cache_tokens",
    "lost_calls",
    "cost_usd",
    "lean_s",
    "lean_cpu_s",
)
"""Of a child problem; its calls are counted by its parent's account already."""
UNCLASSIFIED = "unclassified"
COUNTED = frozenset({Outcome.SOLVED, Outcome.STATEMENT_FALSE, Outcome.NOT_PROVED})
"""Outcomes that say something of the configuration. The rest (a failure of infrastructure, a
refusal, a cancellation, an open problem) is counted apart and is no sample."""


class ProblemResult(Model):
    """One problem in one run."""

    name: str
    outcome: str
    """An `Outcome`, or `open`."""
    strategy: str = ""
    """What proved it."""
    attempts: int = 0
    candidates: int = 0
    candidate_failures: int = 0
    """Candidates whose check failed for reasons of infrastructure."""
    verdicts: int = 0
    errors: dict[str, int] = Field(default_factory=dict)
    """Verdicts that are not accepted, by error class."""
    retrieved: int = 0
    """Different chunks that were found for it."""
    used: int = 0
    """Those of them that the accepted proof rests on."""
    named: int = 0
    """Those of the used ones that the proof's text names."""
    re_retrievals: int = 0
    """Times that the critic asked for what an attempt missed."""
    used_from_re_retrieval: int = 0
    """Used chunks that only such a look-up found."""
    reranked: bool = False
    """Whether a reranker ordered any of its evidence."""
    llm_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_tokens: int = 0
    """Read from a server's cache, and kept in it."""
    lost_calls: int = 0
    cost_usd: float = 0.0
    wall_s: float | None = None
    """From its submission to its end; what waits in a queue counts."""
    lean_s: float = 0.0
    """Wall-clock seconds of all its checks."""
    lean_cpu_s: float = 0.0

    @property
    def counted(self) -> bool:
        """Whether it is a sample of the configuration."""
        return self.outcome in COUNTED

    @property
    def proved(self) -> bool:
        """Whether a proof of the statement was accepted."""
        return self.outcome == Outcome.SOLVED


class RunResult(Model):
    """One run of one configuration."""

    run_id: str
    started_at: AwareDatetime
    config: RunConfig
    versions: dict[str, str]
    evaluation: Evaluation | None
    problems: tuple[ProblemResult, ...]


def read_runs(paths: Iterable[Path]) -> list[RunResult]:
    """Every run of the traces, in the order in which they began; one problem is held at a time.

    Args:
        paths: trace files; the same run twice counts once.

    Raises:
        ConfigError: a file is no sound trace, or a run's beginning is missing.
    """
    found: dict[str, RunResult] = {}
    for path in paths:
        with ExitStack() as stack:
            trace = stack.enter_context(open_trace(path))
            require_sound(trace)
            for run_id in trace.runs:
                found.setdefault(run_id, _run(trace, run_id))
    return sorted(found.values(), key=lambda run: (run.started_at, run.run_id))


def _run(trace: TraceFile, run_id: str) -> RunResult:
    start = next((e for e in trace.events(run_id, RUN_SCOPE) if e.name == RunStarted.NAME), None)
    if start is None or not isinstance(start.data, RunStarted):
        raise ConfigError(f"{trace.path}: run {run_id} has no run_started: export it whole")
    return RunResult(
        run_id=run_id,
        started_at=start.time,
        config=start.data.config,
        versions=start.data.versions,
        evaluation=start.data.evaluation,
        problems=tuple(sorted(_results(trace.cases(run_id)), key=lambda result: result.name)),
    )


def _results(cases: Iterable[Case]) -> list[ProblemResult]:
    """One result for each posted problem; what its child problems spent is its own expense."""
    results: dict[str, ProblemResult] = {}
    below: list[tuple[str, ProblemResult]] = []
    for case in cases:
        result = problem_result(case)
        if case.problem is None or case.problem.parent is None:
            results[case.problem_id] = result
        else:
            below.append((case.problem.parent.ancestors[0], result))
    for root, part in below:
        if root in results:
            whole = results[root]
            added = {name: getattr(whole, name) + getattr(part, name) for name in _SPENT}
            results[root] = whole.model_copy(update=added)
    return list(results.values())


def problem_result(case: Case) -> ProblemResult:
    """What the events of one problem say."""
    report = next(_reports(case), None)
    proof = report.proof if report is not None else None
    retrievals = case.payloads(EvidenceRetrieved)
    first, later = _chunks(retrievals, error=False), _chunks(retrievals, error=True)
    cited = report.citations.used_in_proof if report is not None else ()
    used = [c for c in cited if c.chunk_id in first | later]
    names = set(proof.named_in_proof) if proof is not None else set()
    verdicts = [item.verdict for item in case.verdicts.values()]
    errors = Counter(v.error_class or UNCLASSIFIED for v in verdicts if v.reason is not None)
    calls = case.payloads(LlmCalled)
    return ProblemResult(
        name=case.problem_id,
        outcome=_outcome(case),
        strategy=proof.strategy if proof is not None else "",
        attempts=len(case.sketches),
        candidates=len(case.candidates),
        candidate_failures=len(case.candidate_failures),
        verdicts=len(verdicts),
        errors={str(name): errors[name] for name in sorted(errors)},
        retrieved=len(first | later),
        used=len(used),
        named=sum(_declaration(c) in names for c in used),
        re_retrievals=sum(c.route is Route.RE_RETRIEVE for c in case.payloads(AttemptCritiqued)),
        used_from_re_retrieval=sum(c.chunk_id not in first for c in used),
        reranked=any(r.result.trace.versions.reranker_model for r in retrievals),
        llm_calls=case.llm_calls,
        input_tokens=sum(call.input_tokens for call in calls),
        output_tokens=sum(call.output_tokens for call in calls),
        cache_tokens=sum(c.cache_read_tokens + c.cache_write_tokens for c in calls),
        lost_calls=sum(call.outcome is LlmOutcome.LOST for call in calls),
        cost_usd=sum(call.cost_usd for call in calls),
        wall_s=_wall_s(case),
        lean_s=sum(v.elapsed_ms for v in verdicts) / 1000,
        lean_cpu_s=sum(v.cpu_ms for v in verdicts) / 1000,
    )


def _outcome(case: Case) -> str:
    return case.outcome.value if case.outcome is not None else OPEN


def _reports(case: Case) -> Iterator[SolutionReport]:
    """The report of its end; that of a proof before any other."""
    for solved in case.payloads(ProblemSolved):
        yield solved.report
    for failed in case.payloads(ProblemFailed):
        yield failed.report


def _chunks(retrievals: Iterable[EvidenceRetrieved], *, error: bool) -> set[str]:
    wanted = (r for r in retrievals if (r.attempt > 0) == error)
    return {c.chunk_id for r in wanted for c in r.result.citations}


def _declaration(citation: Citation) -> str:
    return str(citation.locator.get("decl_name", ""))


def _wall_s(case: Case) -> float | None:
    submitted = [e.time for e in case.events_of(ProblemSubmitted)]
    ended = _ended(case)
    if not submitted or ended is None:
        return None
    return max(0.0, (ended - submitted[0]).total_seconds())


def _ended(case: Case) -> datetime | None:
    for kind in (ProblemSolved, ProblemFailed, ProblemRefused):
        events = case.events_of(kind)
        if events:
            return events[0].time
    return None
