from collections.abc import Iterator

import pytest

from ragsolver_verifier.session import LeanSession, Program
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchain.locate import locate
from ragsolver_verifier.toolchain.native import NATIVE_REMEDY, why_not_native
from ragsolver_verifier.toolchains import installed_program, start_session


class Renewed:
    """A session that is started again when a test has killed it."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._session: LeanSession | None = None

    def get(self) -> LeanSession:
        if self._session is None or not self._session.alive:
            self._session = start_session(self._program, VerifierSettings())
        return self._session

    def close(self) -> None:
        if self._session is not None:
            self._session.close()


@pytest.fixture(scope="session", params=["embedded", "native"])
def program(request: pytest.FixtureRequest) -> Program:
    """One behaviour suite on every toolchain that is here."""
    if request.param == "native":
        missing = why_not_native()
        if missing:
            pytest.skip(f"the native Lean toolchain is missing ({missing}): {NATIVE_REMEDY}")
        return installed_program(choice="native")
    return _embedded()


@pytest.fixture(scope="session")
def embedded() -> Program:
    return _embedded()


def _embedded() -> Program:
    if locate() is None:
        pytest.skip("the embedded Lean toolchain is missing: run `ragsolver lean install`")
    return installed_program()


@pytest.fixture(scope="session")
def renewed(program: Program) -> Iterator[Renewed]:
    kept = Renewed(program)
    yield kept
    kept.close()


@pytest.fixture
def session(renewed: Renewed) -> LeanSession:
    return renewed.get()
