import pytest
from pydantic import ValidationError

from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
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


def test_the_askers_own_statement_needs_no_number() -> None:
    assert StatementChecked(statable=True, view=VIEW).decides() == ()
    assert StatementChecked(statement=2, statable=True, view=VIEW).decides() == (2,)


def test_machine_written_statements_are_numbered() -> None:
    assert StatementProposed(statement=3, formal_statement="theorem t : True").decides() == (3,)
    assert StatementJudged(statement=3, faithful=False, reason="weaker").decides() == (3,)
    with pytest.raises(ValidationError):
        StatementProposed(statement=0, formal_statement="theorem t : True")
