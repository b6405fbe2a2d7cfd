"""Recalling what Lean and the retriever answered, for the workers that would ask them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ragsolver_contracts.answers import (
    ONLY,
    AnswerKind,
    retrieval_key,
    statement_key,
    verdict_key,
)
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked, StatementProposed
from ragsolver_contracts.events_work import (
    CandidateProposed,
    EvidenceRetrieved,
    VerdictIssued,
)
from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest, RetrievalResult
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.recorded import Recalled, RecordedPort, Said, reused

_LOOK_AGAIN_S = 0.05
_PATIENCE_S = 10.0
"""For the rest of an attempt's candidates, which are published one after the other."""


async def recall_checks(case: Case, trigger: AnyEvent, recorded: RecordedPort) -> Recalled:
    """What Lean said of the statement, or of the candidates of a batch."""
    if isinstance(trigger.data, ProblemSubmitted):
        return await _recall_statement(case, 0, recorded)
    if isinstance(trigger.data, StatementProposed):
        return await _recall_statement(case, trigger.data.statement, recorded)
    if isinstance(trigger.data, CandidateProposed) and trigger.data.closes_batch:
        return await _recall_batch(case, trigger, trigger.data, recorded)
    return Recalled()


async def _recall_statement(case: Case, number: int, recorded: RecordedPort) -> Recalled:
    problem = case.stated_as(number)
    if problem is None or number in case.statements:
        return Recalled()
    key = statement_key(problem, case.config)
    found = await recorded.answer(AnswerKind.STATEMENT, key)
    if found is None or not isinstance(found.data, StatementChecked):
        return Recalled()
    said = found.data.model_copy(update={"statement": number})
    return Recalled((reused(said, found),), complete=True)


async def _recall_batch(
    case: Case, trigger: AnyEvent, closing: CandidateProposed, recorded: RecordedPort
) -> Recalled:
    """Verdicts up to the first accepted one, as the verifier would give them."""
    if case.statement is None or case.accepted is not None:
        return Recalled()
    said: list[Said] = []
    missing = overtaken = False
    for candidate in case.batch(closing.attempt, closing.batch):
        if case.judged((candidate.attempt, candidate.candidate)):
            continue
        key = verdict_key(case.statement, candidate, case.config)
        found = await recorded.answer(AnswerKind.VERDICT, key)
        match found.data if found is not None else None:
            case VerdictIssued(verdict=verdict) if found is not None:
                issued = VerdictIssued(
                    attempt=candidate.attempt,
                    candidate=candidate.candidate,
                    closes_batch=False,
                    verdict=verdict,
                )
                said.append(reused(issued, found))
                if verdict.status is VerdictStatus.ACCEPTED:
                    return Recalled(_closed(said), complete=True)
            case WorkFailed() as failed if found is not None:
                said.append(reused(_failed_again(failed, candidate, trigger), found))
            case CandidateProposed():
                overtaken = True
            case _:
                missing = True
    if missing or (overtaken and not await _decided_elsewhere(case, closing.attempt, recorded)):
        return Recalled(tuple(said))
    return Recalled(_closed(said), complete=True)


def _closed(said: list[Said]) -> tuple[Said, ...]:
    """The last verdict closes the batch."""
    for place in range(len(said) - 1, -1, -1):
        payload = said[place].payload
        if isinstance(payload, VerdictIssued):
            closing = payload.model_copy(update={"closes_batch": True})
            said[place] = Said(closing, said[place].recorded_from)
            break
    return tuple(said)


def _failed_again(
    failed: WorkFailed, candidate: CandidateProposed, trigger: AnyEvent
) -> WorkFailed:
    """A recorded failure of a check, said of this candidate on this delivery."""
    update = {
        "trigger_id": trigger.id,
        "trigger_type": trigger.type,
        "attempt": candidate.attempt,
        "candidate": candidate.candidate,
    }
    return failed.model_copy(update=update)


async def _decided_elsewhere(case: Case, attempt: int, recorded: RecordedPort) -> bool:
    """Whether the candidate that decided the old run is in this attempt as well.

    Then its own batch ends the problem, as it did before, and what it had overtaken needs no
    check. Candidates arrive one after the other: this waits until the attempt is all there.
    """
    found = await recorded.answer(AnswerKind.DECIDER, ONLY)
    if found is None or not isinstance(found.data, CandidateProposed) or case.statement is None:
        return False
    wanted = verdict_key(case.statement, found.data, case.config)
    waited = 0.0
    while True:
        candidates = case.attempt_candidates(attempt)
        if any(verdict_key(case.statement, c, case.config) == wanted for c in candidates):
            return True
        if any(c.closes_attempt for c in candidates) or waited > _PATIENCE_S:
            return False
        await asyncio.sleep(_LOOK_AGAIN_S)
        waited += _LOOK_AGAIN_S
        case = await recorded.case()
        if case.statement is None:
            return False


@dataclass(frozen=True)
class Asked:
    """One question to the retriever, and for what."""

    plan: int
    subgoal_id: str
    attempt: int
    request: RetrievalRequest


async def recall_evidence(case: Case, asked: Sequence[Asked], recorded: RecordedPort) -> Recalled:
    """What the retriever found, question by question; the first unknown one ends the recall."""
    if not case.config.retrieval.enabled:
        return Recalled()
    cited = dict(case.citations)
    said: list[Said] = []
    for question in asked:
        if (question.plan, question.subgoal_id, question.attempt) in case.evidence:
            continue
        key = retrieval_key(question.request, cited)
        found = await recorded.answer(AnswerKind.RETRIEVAL, key)
        if found is None or not isinstance(found.data, EvidenceRetrieved):
            return Recalled(tuple(said))
        result = retrieved_for(found.data.result, question.request.context)
        evidence = EvidenceRetrieved(
            plan=question.plan,
            subgoal_id=question.subgoal_id,
            attempt=question.attempt,
            request=question.request,
            result=result,
        )
        said.append(reused(evidence, found))
        for citation in result.citations:
            cited.setdefault(citation.chunk_id, citation)
    return Recalled(tuple(said), complete=True)


def retrieved_for(result: RetrievalResult, context: RetrievalContext) -> RetrievalResult:
    """A result whose citations say for whom they are used now; everything else as it was."""
    for_now = {"retrieved_for": context}
    hits = [
        hit.model_copy(update={"citation": hit.citation.model_copy(update=for_now)})
        for hit in result.hits
    ]
    citations = [citation.model_copy(update=for_now) for citation in result.citations]
    return result.model_copy(update={"hits": hits, "citations": citations})
