import pytest
from pydantic import ValidationError

from ragsolver_verifier.isolation import IsolationPolicy
from ragsolver_verifier.settings import VerifierSettings


def test_an_unknown_setting_is_an_error():
    with pytest.raises(ValidationError, match="sesions"):
        VerifierSettings(sesions=3)


def test_there_is_at_least_one_session():
    with pytest.raises(ValidationError):
        VerifierSettings(sessions=0)


def test_isolation_is_required_unless_switched_off():
    assert VerifierSettings().isolation is IsolationPolicy.CONTAINED
    with pytest.raises(ValidationError):
        VerifierSettings(isolation="none")
