"""What comes out: the report of one problem."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.lean import Isolation, LeanToolchain
from ragsolver_contracts.retrieval import Citation
from ragsolver_contracts.run_config import Engine
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
    """`accepted`, the error class, `open`, or `no answer` of a model."""
    lean_ms: float = 0.0
    engine: Engine = "portfolio"
    """Who sketched it."""


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
    statement_notes: tuple[str, ...] = ()
    """What a reader has to know of the statement: who judged it, and hints that it is vacuous."""
    proof: Proof | None = None
    citations: CitedEvidence = CitedEvidence()
    attempts: tuple[AttemptRecord, ...] = ()
    llm_calls: int = 0
    """Calls of a language model, with those of child problems."""
    child_calls: int = 0
    """Those of them that child problems made; their own reports have their costs."""
    cost_usd: float = 0.0
    """Of its own calls."""
    retrieved: int = Field(default=0, ge=0)
    """Distinct chunks that were retrieved."""
    candidates: int = 0
    failures: int = 0
    """Candidates whose check failed for reasons of infrastructure."""
    lean_ms: float = Field(default=0.0, ge=0)
    submitted_at: AwareDatetime
    ended_at: AwareDatetime

    @property
    def precision(self) -> float | None:
        """Lemma-use precision: retrieved chunks that the proof rests on, by all retrieved ones.

        None where nothing was retrieved, or nothing proved.
        """
        if self.proof is None or not self.retrieved:
            return None
        return self.used / self.retrieved

    @property
    def used(self) -> int:
        """Retrieved chunks that the proof rests on; what Lean's own search found is none."""
        cited = self.citations.used_in_proof
        return sum("found_by" not in citation.locator for citation in cited)
