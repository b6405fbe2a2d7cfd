import pytest
from pydantic import ValidationError

from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
)


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


def test_what_an_agent_could_not_do_is_told_apart() -> None:
    sketch = AttemptAbandoned(agent="generator", plan=1, attempt=2, message="m")
    statement = AttemptAbandoned(agent="formalizer", statement=2, message="m")
    assert sketch.decides() == ("generator", 1, 2, 0)
    assert statement.decides() == ("formalizer", 0, 0, 2)
