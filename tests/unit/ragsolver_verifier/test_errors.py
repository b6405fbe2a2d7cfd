import pytest

from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier import errors


@pytest.mark.parametrize(
    "kind", [errors.SessionDiedError, errors.ProtocolError, errors.SessionStoppedError]
)
def test_what_says_nothing_of_a_candidate_is_a_failure(kind):
    assert issubclass(kind, errors.LeanFailureError)


def test_a_limit_is_no_failure_and_knows_its_reason():
    error = errors.LimitExceededError(VerdictReason.MEMORY_LIMIT, "too big")
    assert not isinstance(error, errors.LeanFailureError)
    assert (error.reason, str(error)) == (VerdictReason.MEMORY_LIMIT, "too big")
