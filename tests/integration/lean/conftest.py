from collections.abc import Iterator
from pathlib import Path

import pytest

from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.sandbox import (
    Sandbox,
    View,
    find_sandbox,
    shared_libraries,
    try_sandbox,
)
from ragsolver_verifier.session import LeanSession, Program
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import locate
from ragsolver_verifier.toolchain.native import NATIVE_REMEDY, why_not_native
from ragsolver_verifier.toolchain.node import node_path
from ragsolver_verifier.toolchains import installed_program, start_session
from suites.canaries import Host


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


@pytest.fixture(scope="module")
def node() -> Path:
    try:
        return node_path()
    except ToolchainMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def sandbox(node: Path) -> Sandbox:
    try:
        found = find_sandbox()
        view = View((node, *shared_libraries(node)))
        try_sandbox(found, view, [str(node), "--version"])
    except IsolationError as error:
        pytest.skip(str(error))
    return found


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    # Short, because the name of a socket may have no more than 107 bytes.
    folder = tmp_path / "h"
    folder.mkdir()
    made = Host(folder)
    yield made
    made.close()
