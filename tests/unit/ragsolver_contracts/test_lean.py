import pytest
from pydantic import ValidationError

from ragsolver_contracts.lean import Diagnostic, Position


def test_severity_is_one_of_leans() -> None:
    with pytest.raises(ValidationError, match="severity"):
        Diagnostic(severity="fatal", text="", start=Position(line=1, column=0))
