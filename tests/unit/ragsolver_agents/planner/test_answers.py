"""A plan has subgoals, and nothing that nobody asked for."""

import pytest
from pydantic import ValidationError

from ragsolver_agents.planner.answers import PlanAnswer


@pytest.mark.parametrize("wrong", [{"subgoals": []}, {"subgoals": [{}]}, {"subgoals": 1}])
def test_a_plan_without_subgoals_is_none(wrong):
    with pytest.raises(ValidationError):
        PlanAnswer.model_validate(wrong)


def test_limits_are_no_part_of_an_answer():
    with pytest.raises(ValidationError, match="budget"):
        PlanAnswer.model_validate({"subgoals": [{"statement_nl": "x"}], "budget": 999})
    assert PlanAnswer.model_json_schema()["additionalProperties"] is False
