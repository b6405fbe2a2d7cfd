from ragsolver_contracts.case import Case
from ragsolver_contracts.events_family import ChildProblem, HoleClosed, ProblemDecomposed
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.run_report import problem_detail
from ragsolver_runtime.web.attempts import attempts_of, candidate_of
from suites.web_world import golden_case, sample_case


def attempts(case):
    return attempts_of(case, problem_detail(case).candidates)


def test_attempts_with_candidates_and_critiques() -> None:
    case, _ = golden_case("looked_up_after_an_unknown_name")
    found = attempts(case)
    assert [one.attempt for one in found] == [1, 2, 3, 4]
    assert found[0].route == "retry"
    assert found[-1].route == ""
    assert found[2].missing
    assert {line.status for line in found[-1].candidates} >= {"accepted"}


def test_candidates_that_could_not_be_checked() -> None:
    case, _ = golden_case("checker_always_dies")
    assert {line.status for line in attempts(case)[0].candidates} == {"failed"}


def test_a_candidate_in_full() -> None:
    case, _ = sample_case("add_zero_nat")
    found = candidate_of(case, problem_detail(case).candidates, 1, 1)
    assert found is not None
    assert found.line.status == "accepted"
    assert found.source.startswith("theorem")
    (text,) = found.texts
    assert "".join(piece.text for line in text.lines for piece in line) == "by simp [Nat.add_zero]"


def test_a_candidate_that_is_not_there() -> None:
    case, _ = sample_case("add_zero_nat")
    assert candidate_of(case, problem_detail(case).candidates, 1, 99) is None


def test_holes_that_became_problems_have_their_ends() -> None:
    case, events = sample_case("hard")
    child = ChildProblem(
        hole_id="h1", problem_id="hard.1.h1", formal_statement="theorem c : a", declaration="c"
    )
    more = [
        event(ProblemDecomposed(attempt=1, children=(child,)), problem_id="hard"),
        event(
            HoleClosed(attempt=1, hole_id="h1", child_id="hard.1.h1", outcome=Outcome.SOLVED),
            problem_id="hard",
        ),
    ]
    case = Case.fold("r1", "hard", [*events, *more])
    (hole,) = attempts(case)[0].holes
    assert (hole.child, hole.outcome, hole.statement) == (
        "hard.1.h1",
        Outcome.SOLVED,
        "theorem c : a",
    )
