import pytest
from pydantic import ValidationError

from ragsolver_contracts.candidate import CheckLimits


@pytest.mark.parametrize("values", [{"timeout_s": 0}, {"max_heartbeats": 0}])
def test_no_check_without_limits(values: dict[str, float]) -> None:
    """0 heartbeats mean *unlimited* to Lean."""
    with pytest.raises(ValidationError):
        CheckLimits.model_validate(values)
