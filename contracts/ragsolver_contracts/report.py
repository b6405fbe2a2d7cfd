"""What comes out: the report of one problem."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.lean import Isolation, LeanToolchain
from ragsolver_contracts.retrieval import Citation
from ragsolver_contracts.verdict import Tier


class Outcome(StrEnum):
    """How a problem ended."""

    SOLVED = "solved"
    STATEMENT_FALSE = "statement_false"
    NOT_PROVED = "not_proved"
    INFRASTRUCTURE = "infrastructure"
    REFUSED = "refused"
    CANCELLED = "cancelled"


class CitedEvidence(Model):
    """Citations by level; a citation stands in its strongest level only."""

    used_in_proof: tuple[Citation, ...] = ()
    """Among the constants of the accepted proof term, or named in its text."""
    used_in_sketch: tuple[Citation, ...] = ()
    """Declared by the generator."""
    consulted: tuple[Citation, ...] = ()
    """In a prompt or in a list of lemmas to try."""


class AttemptRecord(Model):
    """One attempt and its end."""

    attempt: int
    stage: str
    candidates: int
    judged: int
    outcome: str
    """`accepted`, the error class, or `open`."""
    lean_ms: float = 0.0


class Proof(Model):
    """A proof that the kernel accepted."""

    source: str
    """Complete Lean text, header included."""
    declaration: str
    negated: bool = False
    strategy: str
    attempt: int
    candidate: int
    axioms: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    named_in_proof: tuple[str, ...] = ()
    statement_digest: str
    header: str = ""
    mathlib: bool = False
    toolchain: LeanToolchain
    tier: Tier = "checked"
    isolation: Isolation = Isolation()
    """What was in force while the proof was checked."""


class SolutionReport(Model):
    """Everything about one ended problem."""

    problem_id: str
    outcome: Outcome
    message: str
    """One sentence for a person."""
    machine_written_statement: bool = False
    proof: Proof | None = None
    citations: CitedEvidence = CitedEvidence()
    attempts: tuple[AttemptRecord, ...] = ()
    llm_calls: int = 0
    cost_usd: float = 0.0
    candidates: int = 0
    failures: int = 0
    """Candidates whose check failed for reasons of infrastructure."""
    lean_ms: float = Field(default=0.0, ge=0)
    submitted_at: AwareDatetime
    ended_at: AwareDatetime
