"""Candidates and statements are texts; limits, batches and verdicts are not the model's."""

import pytest
from pydantic import ValidationError

from ragsolver_agents.formalizer.answers import CandidatesAnswer, StatementAnswer


@pytest.mark.parametrize("extra", ["limits", "max_heartbeats", "skeleton", "verdict"])
def test_a_candidate_cannot_set_its_limits(extra):
    with pytest.raises(ValidationError, match=extra):
        CandidatesAnswer.model_validate({"candidates": [{"proof": "rfl", extra: 1}]})


def test_nothing_is_no_answer():
    with pytest.raises(ValidationError):
        CandidatesAnswer.model_validate({"candidates": []})
    with pytest.raises(ValidationError):
        StatementAnswer.model_validate({"formal_statement": ""})
