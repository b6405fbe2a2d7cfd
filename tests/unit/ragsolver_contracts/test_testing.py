from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.testing import event, problem


def test_builders_accept_changes() -> None:
    assert problem(split="valid").split == "valid"
    assert event(ProblemSubmitted(problem=problem()), seconds=2).time.second == 2
