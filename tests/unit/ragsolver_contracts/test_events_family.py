import pytest
from pydantic import ValidationError

from ragsolver_contracts.events_family import ChildProblem, HoleClosed, ProblemDecomposed
from ragsolver_contracts.report import Outcome


def test_an_attempt_is_decomposed_once_and_each_hole_closed_once() -> None:
    child = ChildProblem(
        hole_id="h1", problem_id="p.a3.h1", formal_statement="theorem t : True", declaration="t"
    )
    assert ProblemDecomposed(attempt=3, children=(child,)).decides() == (3,)
    closed = HoleClosed(attempt=3, hole_id="h1", child_id="p.a3.h1", outcome=Outcome.NOT_PROVED)
    assert closed.decides() == (3, "h1")


def test_a_decomposition_has_children() -> None:
    with pytest.raises(ValidationError):
        ProblemDecomposed(attempt=1, children=())
