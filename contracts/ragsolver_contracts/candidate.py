"""What the formalizer proposes: Lean text, unverified and untrusted."""

from pydantic import Field

from ragsolver_contracts.base import Model


class CandidateText(Model):
    """The untrusted part of a candidate; the verifier adds its own copy of the statement."""

    preamble: str = Field(default="", max_length=500_000)
    """Declarations before the statement."""
    proof: str = Field(max_length=500_000)
    """What follows `:=`."""


class CheckLimits(Model):
    """What one candidate's check may use."""

    max_heartbeats: int = Field(default=100_000, ge=1_000)
    """Lean heartbeats, in Lean's own unit."""
    timeout_s: float = Field(default=20.0, gt=0)
    """Wall-clock seconds."""
    cpu_s: float | None = Field(default=None, gt=0)
    """CPU seconds over all threads of the Lean process; no limit of its own when None."""
    output_mb: int = Field(default=16, ge=1)
    """Mebibytes that the Lean process may answer."""
