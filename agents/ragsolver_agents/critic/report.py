"""The report of an ended problem, from the fold alone."""

from collections.abc import Sequence

from ragsolver_agents.attempts import attempts
from ragsolver_agents.critic.diagnose import classify_attempt
from ragsolver_agents.critic.family import left_open
from ragsolver_agents.critic.statement_notes import machine_written, statement_notes
from ragsolver_agents.formalizer.portfolio.suggestions import answers, proposals
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_contracts.report import (
    AttemptRecord,
    CitedEvidence,
    Outcome,
    Proof,
    SolutionReport,
)
from ragsolver_contracts.retrieval import Citation, RetrievalContext
from ragsolver_contracts.verdict import VerdictStatus


def report(case: Case, outcome: Outcome, message: str, trigger: AnyEvent) -> SolutionReport:
    """Everything about the problem as of the trigger that ended it.

    Args:
        case: the fold.
        outcome: how it ended.
        message: one sentence for a person.
        trigger: the event that ended it; its time is the end.
    """
    submitted = case.events_of(ProblemSubmitted)
    proved = outcome in {Outcome.SOLVED, Outcome.STATEMENT_FALSE}
    accepted = case.accepted if proved else None
    return SolutionReport(
        problem_id=case.problem_id,
        outcome=outcome,
        message=message,
        proof=_proof(case, accepted) if accepted is not None else None,
        citations=cite(case, accepted),
        attempts=tuple(_attempt(case, number) for number in attempts(case)),
        machine_written_statement=machine_written(case),
        statement_notes=statement_notes(case, accepted),
        llm_calls=case.llm_calls,
        child_calls=sum(closed.llm_calls for closed in case.closed_holes.values()),
        retrieved=len(case.citations),
        cost_usd=sum(call.cost_usd for call in case.payloads(LlmCalled)),
        candidates=len(case.candidates),
        failures=len(case.candidate_failures),
        lean_ms=sum(item.verdict.elapsed_ms for item in case.verdicts.values()),
        submitted_at=submitted[0].time if submitted else trigger.time,
        ended_at=trigger.time,
    )


def cite(case: Case, accepted: VerdictIssued | None) -> CitedEvidence:
    """Every offered citation in its strongest level; one that was never shown stands in none.

    Of a proved problem only the sketch that led to the proof says what a sketch used: what other
    attempts tried was consulted.
    """
    used = set[str]()
    if accepted is not None:
        used = {*accepted.verdict.constants, *accepted.verdict.named_in_proof}
    led_here = [
        sketch
        for number, sketch in case.sketches.items()
        if accepted is None or number == accepted.attempt
    ]
    sketched = {c for sketch in led_here for c in sketch.used_citations}
    offered = {c for sketch in case.sketches.values() for c in sketch.offered_citations}
    offered |= {c for candidate in case.candidates.values() for c in candidate.citations}
    levels: tuple[list[Citation], list[Citation], list[Citation]] = ([], [], [])
    for citation in case.citations.values():
        in_proof = citation.locator.get("decl_name") in used
        in_sketch = citation.citation_id in sketched
        flags = {"used_in_proof": in_proof, "used_in_sketch": in_sketch}
        marked = citation.model_copy(update=flags)
        if in_proof:
            levels[0].append(marked)
        elif in_sketch:
            levels[1].append(marked)
        elif citation.citation_id in offered:
            levels[2].append(marked)
    if accepted is not None:
        cited = {str(citation.locator.get("decl_name")) for citation in case.citations.values()}
        levels[0].extend(_found_by_lean(case, accepted, cited))
    return CitedEvidence(
        used_in_proof=tuple(levels[0]),
        used_in_sketch=tuple(levels[1]),
        consulted=tuple(levels[2]),
    )


def _found_by_lean(case: Case, accepted: VerdictIssued, cited: set[str]) -> list[Citation]:
    """Declarations that Lean's library search told, and that the accepted proof rests on.

    Nobody retrieved them, so that they have no citation yet. That the proof uses them is Lean's
    own word: they are among the constants of its term.
    """
    told = " ".join([*answers(case), *proposals(accepted.verdict)])
    words = {word.strip("().,@") for word in told.split()}
    constants = [name for name in accepted.verdict.constants if name in words - cited]
    return [
        Citation(
            citation_id=f"L{number}",
            chunk_id=f"lean:{name}",
            corpus="mathlib",
            unit_type="mathlib_decl",
            label=name,
            locator={"decl_name": name, "found_by": "Lean's library search"},
            retrieved_for=RetrievalContext(
                problem_id=case.problem_id,
                attempt=accepted.attempt,
                agent="verifier",
                run_id=case.run_id,
            ),
            used_in_proof=True,
        )
        for number, name in enumerate(constants, 1)
    ]


def _proof(case: Case, accepted: VerdictIssued) -> Proof:
    verdict = accepted.verdict
    candidate = case.candidates[(accepted.attempt, accepted.candidate)]
    problem = case.stated
    return Proof(
        source=verdict.source,
        declaration=(problem.declaration or problem.name) if problem else case.problem_id,
        negated=verdict.negated,
        strategy=candidate.strategy,
        attempt=accepted.attempt,
        candidate=accepted.candidate,
        axioms=verdict.axioms,
        constants=verdict.constants,
        named_in_proof=verdict.named_in_proof,
        statement_digest=verdict.statement_digest,
        header=verdict.header,
        mathlib=verdict.mathlib,
        toolchain=verdict.toolchain,
        tier=verdict.tier,
        isolation=verdict.isolation,
    )


def attempt_verdicts(case: Case, attempt: int) -> Sequence[VerdictIssued]:
    """Verdicts of one attempt, in the order of its candidates."""
    return [item for (number, _), item in case.verdicts.items() if number == attempt]


def _attempt(case: Case, number: int) -> AttemptRecord:
    candidates = case.attempt_candidates(number)
    verdicts = [item.verdict for item in attempt_verdicts(case, number)]
    sketch = case.sketches.get(number)
    if any(verdict.status is VerdictStatus.ACCEPTED for verdict in verdicts):
        outcome = "accepted"
    elif not candidates and number in case.critiques:
        outcome = "no answer"
    elif number in case.critiques:
        outcome = case.critiques[number].error_class.value
    else:
        over = case.attempt_complete(number) or left_open(case, number)
        outcome = classify_attempt(verdicts).value if over else "open"
    return AttemptRecord(
        attempt=number,
        stage=sketch.stage if sketch is not None else "",
        candidates=len(candidates),
        judged=sum(case.judged((number, item.candidate)) for item in candidates),
        outcome=outcome,
        lean_ms=sum(verdict.elapsed_ms for verdict in verdicts),
        engine=sketch.engine if sketch is not None else "llm",
    )
