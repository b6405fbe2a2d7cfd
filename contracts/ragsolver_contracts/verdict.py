"""The verifier's word on a candidate. Only the verifier issues it."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from ragsolver_contracts.base import Model
from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.lean import (
    Diagnostic,
    HoleView,
    Isolation,
    LeanToolchain,
    UnknownIdentifier,
)

Tier = Literal["checked", "audited", "replayed"]
"""How much stands behind an accepted verdict, weakest first."""

STANDARD_AXIOMS = ("Classical.choice", "Quot.sound", "propext")
"""The axioms that a proof may use (Lean 4 reference, Axioms)."""


class VerdictStatus(StrEnum):
    """Accepted, rejected, or not decided within the limits."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    INCONCLUSIVE = "inconclusive"


class VerdictReason(StrEnum):
    """Why a candidate was not accepted."""

    ELABORATION_ERROR = "elaboration_error"
    CONTAINS_SORRY = "contains_sorry"
    FORBIDDEN_AXIOM = "forbidden_axiom"
    STATEMENT_MISMATCH = "statement_mismatch"
    FORBIDDEN_CONSTRUCT = "forbidden_construct"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"


INCONCLUSIVE_REASONS = frozenset(
    {VerdictReason.TIMEOUT, VerdictReason.MEMORY_LIMIT, VerdictReason.OUTPUT_LIMIT}
)


class Verdict(Model):
    """Accepted, rejected or inconclusive, with the evidence for it."""

    status: VerdictStatus
    reason: VerdictReason | None = None
    detail: str = ""
    """One sentence that says what was found."""
    tier: Tier = "checked"
    """`checked`: the trusted procedure; `audited`: accepted again by a fresh process of its own;
    `replayed`: the compiled proof was replayed by a program apart, `leanchecker` or
    `comparator`."""
    statement_digest: str
    """SHA-256 over header, statement and elaborated type."""
    statement_type: str = ""
    """The elaborated type that was asked for, pretty-printed."""
    negated: bool = False
    """Whether what was checked is the negation of the statement."""
    axioms: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    """Library constants that the proof term uses, sorted."""
    named_in_proof: tuple[str, ...] = ()
    """Library declarations that identifiers of the proof's text stand for, as Lean resolved
    them, sorted; names in the preamble count, those in the statement do not. Empty where Lean does
    not tell."""
    diagnostics: tuple[Diagnostic, ...] = ()
    goals: tuple[str, ...] = ()
    """What is left to prove where the proof failed, one goal each with its hypotheses."""
    holes: tuple[HoleView, ...] = ()
    """Every `sorry` of the proof's text, in order, where it is not accepted."""
    error_class: ErrorClass | None = None
    """What went wrong, read off Lean's messages; none when accepted."""
    unknown_identifiers: tuple[UnknownIdentifier, ...] = ()
    """Names that Lean did not know, in the order of the text."""
    source: str = ""
    """The complete Lean text that was checked, header included."""
    header: str = ""
    mathlib: bool = False
    toolchain: LeanToolchain
    isolation: Isolation = Isolation()
    elapsed_ms: float = Field(default=0.0, ge=0)
    """Wall-clock milliseconds of the check."""
    cpu_ms: float = Field(default=0.0, ge=0)
    """CPU milliseconds of the Lean process, all threads."""
    memory_mb: float = Field(default=0.0, ge=0)
    """Resident MiB of the Lean process after it."""

    @model_validator(mode="after")
    def _consistent(self) -> "Verdict":
        accepted = self.status is VerdictStatus.ACCEPTED
        if accepted != (self.reason is None):
            raise ValueError("a verdict has a reason exactly when it is not accepted")
        inconclusive = self.reason in INCONCLUSIVE_REASONS
        if inconclusive != (self.status is VerdictStatus.INCONCLUSIVE):
            raise ValueError("reached limits are inconclusive, everything else is rejected")
        if accepted and not set(self.axioms) <= set(STANDARD_AXIOMS):
            raise ValueError("an accepted verdict uses only the standard axioms")
        return self
