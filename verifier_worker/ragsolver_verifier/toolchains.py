"""How a warm session of the checker starts, and which advisories concern its toolchain."""

import secrets

from ragsolver_contracts.verdict import Verdict
from ragsolver_runtime.lean_advisories import advisories_of
from ragsolver_verifier.audit import Auditor
from ragsolver_verifier.embedded import embedded_program
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError, SessionDiedError
from ragsolver_verifier.evidence import require_nonce
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.isolation import IsolationPolicy
from ragsolver_verifier.native_program import native_program, replay_confinement
from ragsolver_verifier.replay import ReplayError, replay
from ragsolver_verifier.session import LeanProcess, LeanSession, Program
from ragsolver_verifier.settings import ToolchainChoice, VerifierSettings
from ragsolver_verifier.toolchain.locate import require
from ragsolver_verifier.toolchain.native import locate_native


def advisories(lean_version: str) -> tuple[str, ...]:
    """Ids of the known advisories of a Lean version, from `configs/advisories.yaml`."""
    return tuple(advisory.id for advisory in advisories_of(lean_version))


def installed_program(
    policy: IsolationPolicy = IsolationPolicy.CONTAINED, *, choice: ToolchainChoice = "embedded"
) -> Program:
    """The checker under the installed toolchain.

    Args:
        policy: what untrusted code must be kept in.
        choice: which toolchain; never another one in its place.

    Raises:
        ToolchainMissing: the toolchain is not installed; says what to run.
        IsolationError: the policy requires a sandbox that cannot be had; says what to install.
    """
    if choice == "native" or (choice == "auto" and locate_native() is not None):
        return native_program(policy=policy)
    toolchain = require()
    known = advisories(toolchain.lean_version)
    return embedded_program(toolchain, advisories=known, policy=policy)


def auditor_for(program: Program, settings: VerifierSettings) -> Auditor:
    """What raises accepted verdicts of a program to the tiers `audited` and `replayed`."""
    native = locate_native() if program.toolchain.kind == "native" else None

    def _replay(verdict: Verdict, timeout_s: float) -> None:
        if native is None:
            raise ReplayError("the native toolchain is no longer there")
        replay(native, verdict, timeout_s, replay_confinement(native, settings.isolation))

    return Auditor(
        lambda: LeanProcess(program, memory_mb=settings.session_mb),
        lambda session: warm(session, settings.start_timeout_s),
        statement_timeout_s=settings.statement_timeout_s,
        replay=_replay if native is not None else None,
    )


def start_session(program: Program, settings: VerifierSettings) -> LeanSession:
    """One session that has given its first answer.

    Raises:
        LeanFailureError: it did not start, or its library is damaged.
    """
    session = LeanProcess(program, memory_mb=settings.session_mb)
    try:
        warm(session, settings.start_timeout_s)
    except BaseException:
        session.close()
        raise
    return session


def warm(session: LeanSession, timeout_s: float) -> None:
    """Wait for a session's first answer, and make the environment that most problems need.

    That is the one of the compatibility header of an empty header.

    Raises:
        LeanFailureError: there is none, or Lean's library is damaged.
    """
    nonce = secrets.token_hex(16)
    request = {
        "op": "names",
        "nonce": nonce,
        "header": compatibility_header("", frozenset()),
        "names": ["Nat.add_comm"],
    }
    try:
        answer = session.ask(request, timeout_s=timeout_s)
    except LimitExceededError as error:
        raise SessionDiedError(f"the Lean process did not start: {error}") from error
    require_nonce(answer, nonce)
    if answer.get("missing") != []:
        raise LeanFailureError("Lean does not know `Nat.add_comm`: its library is damaged")
