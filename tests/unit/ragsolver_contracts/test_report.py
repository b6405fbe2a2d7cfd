import pytest
from pydantic import ValidationError

from ragsolver_contracts.report import SolutionReport
from ragsolver_contracts.testing import EPOCH


def test_times_have_a_zone() -> None:
    with pytest.raises(ValidationError, match="ended_at"):
        SolutionReport(
            problem_id="p",
            outcome="not_proved",
            message="",
            submitted_at=EPOCH,
            ended_at=EPOCH.replace(tzinfo=None),
        )
