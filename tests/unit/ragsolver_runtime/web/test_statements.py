from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.lean import StatementView
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.web.statements import statements_of
from suites.web_world import sample_case

VIEW = StatementView(type="t", target="t")
ISSUES = ("n is gone",)


def said(*payloads):
    events = [event(payload) for payload in payloads]
    return Case.fold("r1", "add_zero_nat", events)


def test_a_statement_as_asked() -> None:
    (one,) = statements_of(sample_case("hard")[0])
    assert (one.number, one.statable, one.chosen, one.written_by_machine) == (0, True, True, False)
    assert one.text.startswith("theorem")
    assert one.elaborated == "∀ n, n + 0 = n"


def test_one_that_lean_cannot_read() -> None:
    (one,) = statements_of(sample_case("real_sum")[0])
    assert (one.statable, one.reason, one.detail) == (False, "needs_mathlib", "ℝ")


def test_machine_written_ones_with_their_judgements() -> None:
    case = said(
        ProblemSubmitted(problem=problem(formal_statement=None, declaration=None)),
        StatementChecked(statable=False, reason=RefusalReason.NEEDS_LLM),
        StatementProposed(statement=1, formal_statement="theorem a : 1 = 2"),
        StatementChecked(statement=1, statable=True, view=VIEW),
        StatementJudged(statement=1, faithful=False, reason="It is about 1.", issues=ISSUES),
        StatementProposed(statement=2, formal_statement="theorem b : 2 = 2", notes="as meant"),
        StatementChecked(statement=2, statable=True, view=VIEW),
        StatementJudged(statement=2, faithful=True, reason="Yes."),
    )
    asked, first, second = statements_of(case)
    assert not asked.chosen
    assert (first.faithful, first.judgement, first.issues) == (
        False,
        "It is about 1.",
        ("n is gone",),
    )
    assert (second.chosen, second.written_by_machine, second.notes) == (True, True, "as meant")


def test_a_refused_input_has_no_statement() -> None:
    assert statements_of(Case("r1", "_in-1")) == ()
