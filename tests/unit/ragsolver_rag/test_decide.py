import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import AttemptCritiqued, ProblemPlanned, ProofSketched
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.retrieval import (
    Citation,
    RetrievalResult,
    RetrievalTrace,
    VersionsPin,
)
from ragsolver_contracts.run_config import RetrievalConfig, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_rag.decide import decide, recall, wants
from ragsolver_runtime.recorded import Recalled
from suites.replayed_world import Recording


def subgoal(number=1, **changes):
    values = {
        "subgoal_id": f"s{number}",
        "statement_nl": f"claim {number}",
        "search_queries": (f"query {number}", "another"),
    }
    return Subgoal(**values | changes)


def planned(*subgoals, plan=1):
    return ProblemPlanned(plan=plan, subgoals=subgoals or (subgoal(),))


def critiqued(attempt=1, route=Route.RE_RETRIEVE, missing=("Nat.foo",)):
    return AttemptCritiqued(
        attempt=attempt,
        error_class=ErrorClass.UNKNOWN_IDENTIFIER,
        missing_identifiers=missing,
        route=route,
    )


class FakeSearch:
    """Cites one chunk per question, numbered after what was cited."""

    def __init__(self):
        self.requests = []

    async def __call__(self, request, cited):
        self.requests.append(request)
        citation = Citation(
            citation_id=f"M{len(cited) + 1}",
            chunk_id=f"chunk {request.queries[0]}",
            corpus="mathlib",
            unit_type="mathlib_decl",
            label="x",
            retrieved_for=request.context,
        )
        trace = RetrievalTrace(versions=VersionsPin(index_version="v1"))
        return RetrievalResult(citations=[citation], trace=trace)


async def run(*payloads, config=None):
    """Fold the payloads and decide on the last one."""
    events = [event(ProblemSubmitted(problem=problem())), *map(event, payloads)]
    case = Case.fold("r1", "add_zero_nat", events, config)
    search = FakeSearch()
    return await decide(case, events[-1], search), search


def test_only_plans_and_asked_for_retrievals_are_wanted():
    assert wants(event(planned()))
    assert wants(event(critiqued()))
    assert not wants(event(critiqued(route=Route.RETRY)))
    assert not wants(event(ProblemSubmitted(problem=problem())))


async def test_every_subgoal_gets_its_evidence():
    config = RunConfig(retrieval=RetrievalConfig(k=3, n_candidates=20, rerank=True))
    found, search = await run(planned(subgoal(1), subgoal(2)), config=config)
    assert [(e.plan, e.subgoal_id, e.attempt) for e in found] == [(1, "s1", 0), (1, "s2", 0)]
    assert [e.result.citations[0].citation_id for e in found] == ["M1", "M2"]
    request = search.requests[1]
    assert request.queries == ("query 2", "another")
    assert (request.mode, request.k, request.n_candidates) == ("nl", 3, 20)
    assert request.rerank
    assert request.rerank_against == "claim 2"
    assert request.context.subgoal_id == "s2"
    assert request.context.agent == "retriever"
    assert found[0].llm_calls == 0


async def test_a_formal_hint_is_asked_first():
    _, search = await run(planned(subgoal(formal_hint="n + 0 = n")))
    assert search.requests[0].mode == "formal"
    assert search.requests[0].queries == ("n + 0 = n", "query 1", "another")


async def test_no_more_queries_than_allowed_and_none_empty():
    _, search = await run(planned(subgoal(search_queries=("a", "b", "c", "d"), formal_hint="e")))
    assert search.requests[0].queries == ("a", "b", "c", "d")
    _, search = await run(planned(subgoal(search_queries=("  ",))))
    assert search.requests[0].queries == ("claim 1",)


async def test_missing_identifiers_are_looked_up_for_the_plan_of_the_attempt():
    sketch = ProofSketched(attempt=1, plan=1, text="t")
    found, search = await run(
        planned(), planned(plan=2), sketch, critiqued(missing=("A.b", "A.b"))
    )
    assert [(e.plan, e.subgoal_id, e.attempt) for e in found] == [(1, "s1", 1)]
    assert search.requests[0].mode == "error"
    assert search.requests[0].queries == ("A.b",)


async def test_without_identifiers_the_plan_is_asked_again():
    found, search = await run(planned(), critiqued(missing=()))
    assert search.requests[0].queries == ("query 1", "another")
    assert found[0].attempt == 1


async def test_citations_continue_those_of_the_problem():
    first, _ = await run(planned())
    again, _ = await run(planned(), *first, critiqued())
    assert again[0].result.citations[0].citation_id == "M2"


async def test_what_an_earlier_delivery_stored_is_not_searched_again():
    plan = planned(subgoal(1), subgoal(2))
    before, _ = await run(plan)
    events = [event(ProblemSubmitted(problem=problem())), event(plan), event(before[0])]
    search = FakeSearch()
    found = await decide(Case.fold("r1", "add_zero_nat", events), events[1], search)
    assert found == before
    assert len(search.requests) == 1


async def test_switched_off_is_said_without_a_search():
    config = RunConfig(retrieval=RetrievalConfig(enabled=False))
    found, search = await run(planned(), config=config)
    assert search.requests == []
    assert found[0].result.trace.versions.index_version == "disabled"
    assert found[0].result.hits == []


@pytest.mark.parametrize(
    "payloads", [(critiqued(),), (planned(), critiqued(route=Route.RETRY)), ()]
)
async def test_nothing_to_look_up(payloads):
    found, search = await run(*payloads)
    assert found == []
    assert search.requests == []


async def test_a_recorded_answer_is_recalled_for_the_very_question_that_is_asked():
    first = planned(subgoal(1), subgoal(2))
    found, _ = await run(first)
    old = [event(ProblemSubmitted(problem=problem())), *map(event, [first, *found])]
    recording = Recording.of([Case.fold("r1", "add_zero_nat", old)])
    case = Case.fold("r1", "add_zero_nat", old[:2])
    known = await recall(case, old[1], recording)
    assert known.complete
    assert [item.payload for item in known.said] == found
    config = RunConfig(retrieval=RetrievalConfig(k=3))
    other = Case.fold("r1", "add_zero_nat", old[:2], config)
    assert await recall(other, old[1], recording) == Recalled()
