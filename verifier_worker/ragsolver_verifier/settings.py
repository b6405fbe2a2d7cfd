"""How a verifier process runs; what decides a verdict's limits travels with the run."""

from typing import Literal

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_verifier.isolation import IsolationPolicy

ToolchainChoice = Literal["embedded", "native", "auto"]


class VerifierSettings(Model):
    """One table `[verifier]` of the worker settings."""

    toolchain: ToolchainChoice = "embedded"
    """Which Lean checks; `auto` is the native one where it is built, else the embedded one."""
    sessions: int = Field(default=2, ge=1)
    """Lean processes of this worker; each takes about one core and 1 to 1.5 GiB."""
    recycle_checks: int = Field(default=5_000, ge=1)
    """A Lean process is replaced after this many requests; it does not grow with them."""
    recycle_mb: int = Field(default=2_500, ge=500)
    """A Lean process that keeps more than this many MiB is replaced."""
    session_mb: int = Field(default=4_000, ge=500)
    """A Lean process is killed at this many MiB; a run's own limit may be lower."""
    start_timeout_s: float = Field(default=180.0, gt=0)
    """Until a Lean process gave its first answer."""
    statement_timeout_s: float = Field(default=30.0, gt=0)
    """For elaborating one statement alone."""
    isolation: IsolationPolicy = IsolationPolicy.CONTAINED
    """What untrusted Lean code must be kept in: `contained`, `sandboxed` or `off`."""
    agreement_names: int = Field(default=20, ge=0)
    """Names of the index that Lean is asked for at start; 0 skips the check."""
    serve_checks: bool = True
    """Whether a verifier worker also answers check requests on `rs.check`."""
    checks_waiting: int = Field(default=16, ge=0)
    """Check requests that wait for a Lean process; any more are told to come again."""
