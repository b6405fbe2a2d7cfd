"""What a problem may still call."""

from ragsolver_agents.calls import calls_left
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_contracts.testing import event, problem

CONFIG = RunConfig(budget=Budget(llm_calls=5))


def reserved(call: int, cause=None):
    return event(LlmReserved(call=call, agent="critic", purpose="critique"), cause=cause)


def case(*events, **changes):
    first = event(ProblemSubmitted(problem=problem(**changes)))
    return Case.fold("r1", "add_zero_nat", [first, *events], CONFIG)


def test_every_reservation_is_taken_from_the_budget():
    assert calls_left(case()) == 5
    assert calls_left(case(reserved(1), reserved(2))) == 3
    assert calls_left(case(*(reserved(n) for n in range(1, 8)))) == 0


def test_a_triggers_own_calls_do_not_count_for_it():
    trigger = event(ProblemSubmitted(problem=problem()))
    known = case(reserved(1), reserved(2, trigger))
    assert calls_left(known, trigger) == 4
    assert calls_left(known) == 3


def test_a_child_has_what_it_was_granted():
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("p",), llm_calls=3)
    assert calls_left(case(parent=parent)) == 3
    assert calls_left(case(reserved(1), parent=parent)) == 2
