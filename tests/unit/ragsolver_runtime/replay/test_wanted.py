from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.replay.wanted import wanted, was_posted


def case(name, parent=None):
    asked = event(ProblemSubmitted(problem=problem(name, parent=parent)), problem_id=name)
    return Case.fold("r1", name, [asked])


PARENT = Parent(problem_id="p.a1.h1", attempt=1, hole_id="h2", ancestors=("p", "p.a1.h1"))


def test_child_problems_are_not_posted_again() -> None:
    assert was_posted(case("p"))
    assert not was_posted(case("p.a1.h1.a1.h2", PARENT))
    assert was_posted(Case("r1", "_in-refused"))


def test_a_name_means_the_problem_and_everything_below_it() -> None:
    assert wanted((), case("p"))
    assert wanted(("p",), case("p"))
    assert wanted(("p",), case("p.a1.h1.a1.h2", PARENT))
    assert not wanted(("q",), case("p"))
    assert not wanted(("q",), case("p.a1.h1.a1.h2", PARENT))
