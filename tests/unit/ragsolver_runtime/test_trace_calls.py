import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_family import ChildProblem, HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_llm import RETURNED, LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, LlmConfig, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.llm.asked import asked
from ragsolver_runtime.trace_calls import FamilyAccounts, call_breaches, order_breaches
from suites.asking_world import question, reply

CHILD = "p.a1.h1"


def submitted(name="p", parent=None):
    asked_for = problem(name, parent=parent)
    return event(ProblemSubmitted(problem=asked_for), problem_id=name)


ROOT = submitted()
WHAT = asked(LlmConfig(), ROOT, question())


def said(payload, cause=ROOT, problem_id="p"):
    return event(payload, problem_id=problem_id, cause=cause)


def reserved(call, **fields):
    values = {"call": call, "agent": "planner", "purpose": "plan", **fields}
    return LlmReserved(**values)


def called(call, outcome="answered"):
    return WHAT.called(call, 0, reply(outcome), 0.0)


def granted(call, calls, whom=CHILD):
    return reserved(call, calls=calls, purpose="grant", granted_to=whom)


def breaches(*events, cap=20, root=ROOT):
    config = RunConfig(budget=Budget(llm_calls=cap))
    case = Case.fold("r1", root.problem_id, [root, *events], config)
    return [breach.message for breach in call_breaches(case)]


def test_reserved_calls_within_the_budget_break_nothing():
    honest = [said(reserved(1)), said(called(1)), said(reserved(2)), said(called(2, "lost"))]
    assert breaches(*honest, cap=2) == []
    assert list(order_breaches(honest)) == []


def test_calls_above_the_budget():
    assert breaches(said(reserved(1)), said(reserved(2)), cap=1) == [
        "2 LLM calls, the budget is 1"
    ]


def test_a_grant_counts_until_the_child_gives_it_back():
    over = [said(granted(1, 3))]
    assert breaches(*over, cap=2) == ["3 LLM calls, the budget is 2"]
    closed = HoleClosed(
        attempt=1, hole_id="h1", child_id=CHILD, outcome=Outcome.SOLVED, llm_calls=1
    )
    assert breaches(*over, said(closed), cap=2) == []


def test_a_child_that_used_more_than_its_grant():
    closed = HoleClosed(
        attempt=1, hole_id="h1", child_id=CHILD, outcome=Outcome.SOLVED, llm_calls=4
    )
    (found,) = breaches(said(granted(1, 3)), said(closed))
    assert found == f"{CHILD} used 4 LLM calls, granted were 3"


def test_a_child_has_the_grant_of_its_parent_as_its_budget():
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("p",), llm_calls=1)
    root = submitted(CHILD, parent)
    own = [said(reserved(n), root, CHILD) for n in (1, 2)]
    assert breaches(*own, root=root) == ["2 LLM calls, the grant of p is 1"]
    sealed = [said(reserved(1, granted_to=RETURNED), root, CHILD)]
    assert breaches(*sealed, root=root) == []


def test_an_exchange_that_nobody_reserved():
    assert breaches(said(called(1))) == ["LLM call 1 was never reserved"]
    assert breaches(said(granted(1, 1)), said(called(1))) == ["LLM call 1 was never reserved"]


@pytest.mark.parametrize("changes", [{"agent": "critic"}, {"purpose": "critique"}])
def test_an_exchange_that_was_reserved_for_something_else(changes):
    found = breaches(said(reserved(1, **changes)), said(called(1)))
    assert found == ["LLM call 1 was reserved for something else"]


def test_an_exchange_that_was_reserved_for_another_delivery():
    other = submitted("q")
    found = breaches(said(reserved(1), other), said(called(1)))
    assert found == ["LLM call 1 was reserved for something else"]


def test_numbers_have_no_gap_and_no_overlap():
    assert breaches(said(reserved(2))) == ["LLM call 1 is missing"]
    found = breaches(said(granted(1, 3)), said(reserved(2)))
    assert found == ["LLM call 2 was reserved twice"]


def test_an_exchange_before_its_reservation():
    (found,) = order_breaches([said(called(1)), said(reserved(1))])
    assert (found.rule, found.message) == ("order", "LLM call 1 was made before it was reserved")
    assert found.event_id == said(called(1)).id


def test_a_child_may_make_no_more_calls_than_its_parent_took_for_it():
    child = ChildProblem(
        hole_id="h1",
        problem_id=CHILD,
        formal_statement=f"theorem {CHILD} (n : Nat) : n + 0 = n",
        declaration=CHILD,
    )

    def family(allowed, *, told=True):
        parent = Parent(
            problem_id="p", attempt=1, hole_id="h1", ancestors=("p",), llm_calls=allowed
        )
        accounts = FamilyAccounts()
        accounts.look(Case.fold("r1", CHILD, [submitted(CHILD, parent)]))
        split = [said(ProblemDecomposed(attempt=1, children=(child,)))] if told else []
        accounts.look(Case.fold("r1", "p", [ROOT, said(granted(1, 2)), *split]))
        return [breach.message for breach in accounts.breaches()]

    assert family(2) == []
    assert family(3) == [f"{CHILD} may make 3 LLM calls, granted are 2"]
    assert family(2, told=False) == [f"{CHILD} is no hole of p as it says"]
