"""What must hold of the events of one problem, and of one run, in any honest trace."""

from collections import Counter
from collections.abc import Iterator

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import RunFinished, RunStarted
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemPlanned,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.ids import REFUSED_INPUT_PREFIX
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.breach import Breach
from ragsolver_runtime.trace_calls import call_breaches

CAUSED = (
    StatementChecked,
    StatementProposed,
    StatementJudged,
    LlmReserved,
    LlmCalled,
    ProblemDecomposed,
    HoleClosed,
    AttemptAbandoned,
    ProblemPlanned,
    EvidenceRetrieved,
    ProofSketched,
    CandidateProposed,
    VerdictIssued,
    AttemptCritiqued,
    ProblemSolved,
    ProblemFailed,
)
"""Payloads that a worker emits only in answer to an event."""


def case_breaches(case: Case) -> Iterator[Breach]:
    """Every rule that the events of one problem break."""
    if case.problem_id.startswith(REFUSED_INPUT_PREFIX):
        return
    if case.problem is None:
        yield Breach("gap", f"{case.problem_id} was never submitted")
    yield from _numbers(case)
    yield from _references(case)
    yield from call_breaches(case)
    yield from _budget(case)
    yield from _proof(case)


def run_breaches(
    started: RunStarted | None,
    finished: RunFinished | None,
    outcomes: dict[str, Outcome | None],
) -> Iterator[Breach]:
    """Every rule that a run as a whole breaks.

    Args:
        started: the run's start.
        finished: the run's end, if it ended.
        outcomes: outcome of every problem and refused input.
    """
    if started is None:
        yield Breach("gap", "the run has no run_started")
    if finished is None:
        return
    still_open = sorted(problem for problem, outcome in outcomes.items() if outcome is None)
    if still_open:
        listed = ", ".join(still_open[:5])
        yield Breach("gap", f"the run finished, but {len(still_open)} are open: {listed}")
    counted = Counter(outcome.value for outcome in outcomes.values() if outcome is not None)
    if dict(counted) != {k: v for k, v in finished.outcomes.items() if v}:
        yield Breach("count", f"run_finished says {finished.outcomes}, the events {dict(counted)}")
    announced = started.problem_count if started else None
    if announced is not None and len(outcomes) < announced:
        yield Breach("count", f"{announced} inputs were announced, {len(outcomes)} are here")


def _numbers(case: Case) -> Iterator[Breach]:
    abandoned = case.payloads(AttemptAbandoned)
    plans = {*case.plans, *(item.plan for item in abandoned if item.agent == "planner")}
    attempts = {*case.sketches, *case.critiques, *(a.attempt for a in abandoned if a.attempt)}
    yield from _contiguous("plan", sorted(plans), 1)
    yield from _contiguous("attempt", sorted(attempts), 1)
    for attempt in sorted({number for number, _ in case.candidates}):
        numbers = [c.candidate for c in case.attempt_candidates(attempt)]
        yield from _contiguous(f"candidate of attempt {attempt}", numbers, 0)
    for attempt in case.critiques:
        if not (case.attempt_complete(attempt) or _broken_off(case, attempt)):
            said = f"attempt {attempt} was critiqued, but not all its candidates are judged"
            yield Breach("gap", said, _id(case, AttemptCritiqued, (attempt,)))


def _broken_off(case: Case, attempt: int) -> bool:
    """Whether an attempt may end as it is: nothing came of it, or its holes stay open."""
    tried = case.attempt_candidates(attempt)
    if not tried:
        return bool(case.payloads(AttemptAbandoned))
    if not all(item.skeleton and case.judged((attempt, item.candidate)) for item in tried):
        return False
    ends = [item.outcome for (n, _), item in case.closed_holes.items() if n == attempt]
    return attempt not in case.decompositions or any(end is not Outcome.SOLVED for end in ends)


def _contiguous(what: str, numbers: list[int], first: int) -> Iterator[Breach]:
    missing = sorted(set(range(first, max(numbers, default=first - 1) + 1)) - set(numbers))
    if missing:
        yield Breach("gap", f"{what} {missing[0]} is missing")


def _references(case: Case) -> Iterator[Breach]:
    for key in case.verdicts:
        if key not in case.candidates:
            said = f"a verdict on candidate {key[0]}.{key[1]}, which was never proposed"
            yield Breach("gap", said, _id(case, VerdictIssued, key))
    for attempt, sketch in case.sketches.items():
        if sketch.plan not in case.plans:
            said = f"attempt {attempt} follows plan {sketch.plan}, which is not here"
            yield Breach("gap", said, _id(case, ProofSketched, (attempt,)))
    for attempt in sorted({number for number, _ in case.candidates} | set(case.critiques)):
        if attempt not in case.sketches and not _broken_off(case, attempt):
            yield Breach("gap", f"attempt {attempt} has no sketch")
    for plan, subgoal, attempt in case.evidence:
        planned = case.plans.get(plan)
        if planned is None or subgoal not in {s.subgoal_id for s in planned.subgoals}:
            said = f"evidence for subgoal {subgoal} of plan {plan}, which was not planned"
            yield Breach("gap", said, _id(case, EvidenceRetrieved, (plan, subgoal, attempt)))


def _budget(case: Case) -> Iterator[Breach]:
    budget = case.config.budget
    if len(case.sketches) > budget.attempts:
        yield Breach("budget", f"{len(case.sketches)} attempts, the budget is {budget.attempts}")


def _proof(case: Case) -> Iterator[Breach]:
    solved, failed = case.first(ProblemSolved), case.first(ProblemFailed)
    if solved is not None:
        yield from _proof_of(case, solved, Outcome.SOLVED)
    elif failed is not None and failed.outcome is Outcome.STATEMENT_FALSE:
        yield from _proof_of(case, failed, Outcome.STATEMENT_FALSE)


def _proof_of(
    case: Case, ended: ProblemSolved | ProblemFailed, outcome: Outcome
) -> Iterator[Breach]:
    where = _id(case, type(ended), ())
    proof = ended.report.proof
    if proof is None:
        yield Breach("proof", f"{outcome.value} without a proof in its report", where)
        return
    issued = case.verdicts.get((proof.attempt, proof.candidate))
    if issued is None or issued.verdict.status is not VerdictStatus.ACCEPTED:
        said = f"the reported proof {proof.attempt}.{proof.candidate} has no accepted verdict"
        yield Breach("proof", said, where)
        return
    verdict = issued.verdict
    if verdict.negated != (outcome is Outcome.STATEMENT_FALSE) or proof.negated != verdict.negated:
        yield Breach("proof", "a proof and a refutation are mixed up", where)
    if (proof.source, proof.statement_digest) != (verdict.source, verdict.statement_digest):
        yield Breach("proof", "the reported proof is not the one that was accepted", where)


def _id(case: Case, kind: type[object], decides: tuple[int | str, ...]) -> str | None:
    matching: Iterator[AnyEvent] = (
        e
        for e in case.events.values()
        if isinstance(e.data, kind) and tuple(e.data.decides()) == decides
    )
    found = next(matching, None)
    return found.id if found else None
