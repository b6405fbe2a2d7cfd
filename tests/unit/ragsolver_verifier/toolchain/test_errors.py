import pytest

from ragsolver_verifier.toolchain import errors


def test_an_integrity_mismatch_names_both_sides() -> None:
    error = errors.IntegrityMismatch("x.tgz", "sha512-aa", "sha512-bb")
    assert "expected sha512-aa, got sha512-bb" in str(error)
    assert (error.expected, error.got) == ("sha512-aa", "sha512-bb")


@pytest.mark.parametrize(
    "kind", [errors.ToolchainMissing, errors.IntegrityMismatch, errors.PatchMismatch]
)
def test_every_failure_is_a_toolchain_error(kind: type[Exception]) -> None:
    assert issubclass(kind, errors.ToolchainError)
