import pytest
from pydantic import ValidationError

from ragsolver_contracts.plan import Hole, Subgoal


def test_ids_are_numbered() -> None:
    assert Subgoal(subgoal_id="s1", statement_nl="x", search_queries=("q",)).subgoal_id == "s1"
    with pytest.raises(ValidationError, match="hole_id"):
        Hole(hole_id="first", subgoal_id="s1", statement="x")
