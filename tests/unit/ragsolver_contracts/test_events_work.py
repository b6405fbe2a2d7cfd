import pytest
from pydantic import ValidationError

from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
)
from ragsolver_contracts.lean import StatementView

VIEW = StatementView(type="True", target="True")


def test_a_statable_statement_has_a_view_and_no_reason() -> None:
    assert StatementChecked(statable=True, view=VIEW).view == VIEW
    assert StatementChecked(statable=False, reason="needs_llm").view is None


@pytest.mark.parametrize(
    "values",
    [
        {"statable": True},
        {"statable": False},
        {"statable": True, "view": VIEW, "reason": "needs_llm"},
        {"statable": False, "view": VIEW, "reason": "needs_llm"},
    ],
)
def test_contradictions_cannot_be_said(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        StatementChecked.model_validate(values)


def test_candidates_are_told_apart_by_attempt_and_number() -> None:
    common = {"batch": 0, "closes_batch": True, "closes_attempt": True, "strategy": "x"}
    one = CandidateProposed(attempt=1, candidate=2, text={"proof": "rfl"}, **common)
    two = CandidateProposed(attempt=1, candidate=2, text={"proof": "by omega"}, **common)
    assert one.decides() == two.decides() == (1, 2)


def test_a_retriever_makes_no_llm_calls() -> None:
    with pytest.raises(ValidationError, match="llm_calls"):
        EvidenceRetrieved.model_validate(
            {
                "plan": 1,
                "subgoal_id": "s1",
                "request": {"queries": ["q"], "context": {"problem_id": "p"}},
                "result": {},
                "llm_calls": 1,
            }
        )


def test_a_failure_is_never_a_success() -> None:
    with pytest.raises(ValidationError, match="outcome"):
        ProblemFailed.model_validate({"outcome": "solved", "message": "", "report": {}})
