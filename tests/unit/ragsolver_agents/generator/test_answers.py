"""A sketch has a text, and no field that changes the run."""

import pytest
from pydantic import ValidationError

from ragsolver_agents.generator.answers import SketchAnswer


@pytest.mark.parametrize("wrong", [{}, {"text": ""}, {"text": "t", "route": "solved"}])
def test_other_answers_are_refused(wrong):
    with pytest.raises(ValidationError):
        SketchAnswer.model_validate(wrong)


def test_the_schema_is_closed():
    assert SketchAnswer.model_json_schema()["additionalProperties"] is False
