"""What the retriever looks up, and for what."""

from collections.abc import Mapping
from typing import Protocol

from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import AttemptCritiqued, EvidenceRetrieved, ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.retrieval import (
    Citation,
    RetrievalContext,
    RetrievalRequest,
    RetrievalResult,
)
from ragsolver_rag.search import disabled_result
from ragsolver_runtime.recorded import Recalled, RecordedPort
from ragsolver_runtime.replay.recall import Asked, recall_evidence

_MOST_QUERIES = 4
AGENT = "retriever"


class SearchPort(Protocol):
    """Who answers a request; may take seconds, must not block the event loop."""

    async def __call__(
        self, request: RetrievalRequest, cited: Mapping[str, Citation]
    ) -> RetrievalResult:
        """The result; chunks in `cited` keep their citation ids."""
        ...


def wants(trigger: AnyEvent) -> bool:
    """Whether a trigger asks for a retrieval, as far as it says itself."""
    data = trigger.data
    if isinstance(data, AttemptCritiqued):
        return data.route is Route.RE_RETRIEVE
    return isinstance(data, ProblemPlanned)


async def decide(case: Case, trigger: AnyEvent, search: SearchPort) -> list[Payload]:
    """Evidence for every subgoal of a new plan, or for what an attempt missed.

    Args:
        case: the problem so far.
        trigger: `problem_planned`, or `attempt_critiqued` with route `re_retrieve`.
        search: answers the requests.
    """
    return await _evidence(case, questions(case, trigger), search)


async def recall(case: Case, trigger: AnyEvent, recorded: RecordedPort) -> Recalled:
    """In a replay, what is recorded of the trigger's questions."""
    return await recall_evidence(case, questions(case, trigger), recorded)


def questions(case: Case, trigger: AnyEvent) -> list[Asked]:
    """What a trigger makes the retriever ask, in order."""
    data = trigger.data
    if isinstance(data, ProblemPlanned):
        return [
            Asked(data.plan, subgoal.subgoal_id, 0, plan_request(case, data, subgoal))
            for subgoal in data.subgoals
        ]
    if isinstance(data, AttemptCritiqued) and wants(trigger):
        plan = attempt_plan(case, data.attempt)
        if plan is not None:
            request = error_request(case, plan, data)
            return [Asked(plan.plan, plan.subgoals[0].subgoal_id, data.attempt, request)]
    return []


def plan_request(case: Case, plan: ProblemPlanned, subgoal: Subgoal) -> RetrievalRequest:
    """The question for one subgoal of a plan."""
    queries = dict.fromkeys(query for query in subgoal.search_queries if query.strip())
    if subgoal.formal_hint.strip() and len(queries) < _MOST_QUERIES:
        queries = dict.fromkeys((subgoal.formal_hint, *queries))
    asked = tuple(queries) or (subgoal.statement_nl or subgoal.subgoal_id,)
    config = case.config.retrieval
    return RetrievalRequest(
        queries=asked[:_MOST_QUERIES],
        rerank_against=subgoal.statement_nl or subgoal.formal_hint or None,
        mode="formal" if subgoal.formal_hint else "nl",
        k=config.k,
        n_candidates=config.n_candidates,
        rerank=config.rerank,
        context=_context(case, subgoal.subgoal_id, 0),
    )


def error_request(
    case: Case, plan: ProblemPlanned, critique: AttemptCritiqued
) -> RetrievalRequest:
    """The question after an attempt: the identifiers it missed, or the plan's own queries."""
    subgoal = plan.subgoals[0]
    named = tuple(dict.fromkeys(name for name in critique.missing_identifiers if name.strip()))
    config = case.config.retrieval
    return RetrievalRequest(
        queries=(named or subgoal.search_queries)[:_MOST_QUERIES],
        rerank_against=subgoal.statement_nl or None,
        mode="error",
        k=config.k,
        n_candidates=config.n_candidates,
        rerank=config.rerank,
        context=_context(case, subgoal.subgoal_id, critique.attempt),
    )


def attempt_plan(case: Case, attempt: int) -> ProblemPlanned | None:
    """The plan that an attempt belongs to; the latest where its sketch is not there."""
    sketch = case.sketches.get(attempt)
    number = sketch.plan if sketch is not None else case.plan_number
    return case.plans.get(number)


async def _evidence(case: Case, asked: list[Asked], search: SearchPort) -> list[Payload]:
    cited = dict(case.citations)
    found: list[Payload] = []
    for question in asked:
        plan, subgoal_id, attempt = question.plan, question.subgoal_id, question.attempt
        request = question.request
        known = case.evidence.get((plan, subgoal_id, attempt))
        if known is not None:  # stored by an earlier delivery that did not get to its end
            found.append(known)
            continue
        enabled = case.config.retrieval.enabled
        result = await search(request, cited) if enabled else disabled_result()
        for citation in result.citations:
            cited.setdefault(citation.chunk_id, citation)
        found.append(
            EvidenceRetrieved(
                plan=plan, subgoal_id=subgoal_id, attempt=attempt, request=request, result=result
            )
        )
    return found


def _context(case: Case, subgoal_id: str, attempt: int) -> RetrievalContext:
    return RetrievalContext(
        problem_id=case.problem_id,
        subgoal_id=subgoal_id,
        attempt=attempt,
        agent=AGENT,
        run_id=case.run_id,
    )
