"""The six workers without Lean and without an index: same events, decided by a word in the text.

A statement with `ℝ` is refused, one with `True` is proved by the second candidate, any other is
not proved. Each decision takes `SIMULATED_WORK_S` seconds, so that something can be killed in
the middle; those of one role `SIMULATED_<ROLE>_S`, where that is set.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemRefused, ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemPlanned,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.ids import digest
from ragsolver_contracts.lean import StatementView
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.report import (
    AttemptRecord,
    CitedEvidence,
    Outcome,
    Proof,
    SolutionReport,
)
from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest, RetrievalResult
from ragsolver_contracts.verdict import Verdict, VerdictReason, VerdictStatus
from ragsolver_runtime.doctor import Finding
from ragsolver_runtime.recheck import RecheckItem, RecheckResult
from ragsolver_runtime.recorded import Recalled, RecordedPort
from ragsolver_runtime.replay.recall import Asked, recall_checks, recall_evidence
from ragsolver_runtime.testing import scripted_worker
from ragsolver_runtime.worker import WorkerContext, nothing
from suites.sample_run import TOOLCHAIN, citation

CANDIDATES = 2


COUNTS: Counter[str] = Counter()
"""Work that was really done in this process."""


def count(what: str) -> None:
    """Count work that a recorded answer would have spared; in a file where one is named."""
    COUNTS[what] += 1
    file = os.environ.get("SIMULATED_COUNTS")
    if file:
        with Path(file).open("a") as stream:
            stream.write(f"{what}\n")


async def _work(context: WorkerContext) -> None:
    everybody = os.environ.get("SIMULATED_WORK_S", "0")
    await asyncio.sleep(float(os.environ.get(f"SIMULATED_{context.role.upper()}_S", everybody)))


def statement_of(case: Case) -> str:
    assert case.problem is not None
    return case.problem.formal_statement or ""


async def plan(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    await _work(context)
    if case.statement is None or not case.statement.statable:
        return []
    subgoal = Subgoal(subgoal_id="s1", statement_nl="all of it", search_queries=("all of it",))
    return [ProblemPlanned(plan=1, subgoals=(subgoal,))]


def request_of(case: Case) -> RetrievalRequest:
    for_whom = RetrievalContext(problem_id=case.problem_id, run_id=case.run_id)
    return RetrievalRequest(queries=("all of it",), k=case.config.retrieval.k, context=for_whom)


async def retrieve(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    await _work(context)
    request = request_of(case)
    found = case.config.retrieval.enabled
    if found:
        count("retrievals")
    result = RetrievalResult(citations=[citation(case.problem_id, 1)] if found else [])
    return [EvidenceRetrieved(plan=1, subgoal_id="s1", request=request, result=result)]


async def recall_retrieval(case: Case, trigger: AnyEvent, recorded: RecordedPort) -> Recalled:
    return await recall_evidence(case, [Asked(1, "s1", 0, request_of(case))], recorded)


async def sketch(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    await _work(context)
    return [ProofSketched(attempt=1, plan=1, text="t", stage="closing", offered_citations=("M1",))]


async def propose(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    await _work(context)
    return [
        CandidateProposed(
            attempt=1,
            candidate=number,
            batch=0,
            closes_batch=number == CANDIDATES - 1,
            closes_attempt=number == CANDIDATES - 1,
            text=CandidateText(proof=f"by tactic{number}"),
            strategy=f"tactic{number}",
        )
        for number in range(CANDIDATES)
    ]


async def verify(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    await _work(context)
    statement = statement_of(case)
    if isinstance(trigger.data, ProblemSubmitted):
        count("checks")
        if "ℝ" in statement:
            reason = RefusalReason.NEEDS_MATHLIB
            return [StatementChecked(statable=False, reason=reason, detail="unknown ℝ")]
        view = StatementView(type=statement, target="True")
        sha = digest(statement)
        return [
            StatementChecked(statable=True, statement_digest=sha, view=view, toolchain=TOOLCHAIN)
        ]
    if not isinstance(trigger.data, CandidateProposed) or not trigger.data.closes_batch:
        return []
    count("checks")
    return [
        VerdictIssued(attempt=1, candidate=number, verdict=_verdict(statement, number))
        for number in range(CANDIDATES)
    ]


def _verdict(statement: str, number: int) -> Verdict:
    proved = "True" in statement and number == CANDIDATES - 1
    return Verdict(
        status=VerdictStatus.ACCEPTED if proved else VerdictStatus.REJECTED,
        reason=None if proved else VerdictReason.ELABORATION_ERROR,
        statement_digest=digest(statement),
        source=f"{statement} := by tactic{number}",
        toolchain=TOOLCHAIN,
        elapsed_ms=5.0,
    )


async def criticise(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    await _work(context)
    assert case.problem is not None
    if isinstance(trigger.data, StatementChecked):
        if trigger.data.statable:
            return []
        return [
            ProblemRefused(
                name=case.problem.name,
                reason=RefusalReason.NEEDS_MATHLIB,
                message="Needs Mathlib: unknown ℝ.",
                line=case.problem.source.line,
                input_digest=case.problem.input_digest,
            )
        ]
    if case.accepted is not None:
        return [ProblemSolved(report=_report(case, Outcome.SOLVED))]
    if not case.attempt_complete(1):
        return []
    report = _report(case, Outcome.NOT_PROVED)
    critique = AttemptCritiqued(
        attempt=1, error_class=ErrorClass.TACTIC_FAILED, route=Route.EXHAUSTED
    )
    failed = ProblemFailed(outcome=Outcome.NOT_PROVED, message=report.message, report=report)
    return [critique, failed]


def _report(case: Case, outcome: Outcome) -> SolutionReport:
    times = [event.time for event in case.events.values()]
    accepted = case.accepted
    proof = None
    if accepted is not None:
        proof = Proof(
            source=accepted.verdict.source,
            declaration=case.problem_id,
            strategy="tactic1",
            attempt=1,
            candidate=accepted.candidate,
            statement_digest=accepted.verdict.statement_digest,
            toolchain=TOOLCHAIN,
        )
    record = AttemptRecord(
        attempt=1, stage="closing", candidates=CANDIDATES, judged=CANDIDATES, outcome="ended"
    )
    return SolutionReport(
        problem_id=case.problem_id,
        outcome=outcome,
        message="Proved." if proof else "Every tactic failed.",
        proof=proof,
        citations=CitedEvidence(consulted=tuple(case.citations.values())),
        attempts=(record,),
        candidates=CANDIDATES,
        lean_ms=10.0,
        submitted_at=min(times),
        ended_at=max(times),
    )


def _opens(trigger: AnyEvent) -> bool:
    return isinstance(trigger.data, ProblemSubmitted)


def _worker(
    role: str, decide: Any, triggers: Any, emits: Any, recall: Any = None, **more: Any
) -> Any:
    return scripted_worker(
        decide,
        role=role,
        triggers=triggers,
        emits=emits,
        recall=recall,
        ack_wait_s=3.0,
        concurrency=1,
        **more,
    )


PLANNER = _worker("planner", plan, (StatementChecked,), (ProblemPlanned,))
RETRIEVER = _worker(
    "retriever", retrieve, (ProblemPlanned,), (EvidenceRetrieved,), recall_retrieval
)
GENERATOR = _worker("generator", sketch, (EvidenceRetrieved,), (ProofSketched,))
FORMALIZER = _worker("formalizer", propose, (ProofSketched,), (CandidateProposed,))
VERIFIER = _worker(
    "verifier",
    verify,
    (ProblemSubmitted, CandidateProposed),
    (StatementChecked, VerdictIssued, WorkFailed),
    recall_checks,
    opens=_opens,
)
VERIFIER_OF_ONE_QUEUE = replace(VERIFIER, opens=nothing)
"""Takes new problems and those in work in the order of the stream; for comparison."""
CRITIC = _worker(
    "critic",
    criticise,
    (VerdictIssued, StatementChecked),
    (AttemptCritiqued, ProblemSolved, ProblemFailed, ProblemRefused),
)


def recheck(items: Sequence[RecheckItem]) -> list[RecheckResult]:
    """Accepts what the simulated verifier accepts."""
    return [
        RecheckResult(item.problem_id, accepted=item.proof == "by tactic1", detail="tactic0")
        for item in items
    ]


def findings() -> list[Finding]:
    """Nothing is missing."""
    return [Finding("lean toolchain", "ok", "simulated", version="simulated")]
