"""What a replay is: a new run of an old run's problems that uses its recorded answers again."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from ragsolver_contracts.base import Model


class ReplayStage(StrEnum):
    """A step of the work on a problem, in the order of the work."""

    STATEMENT = "statement"
    PLAN = "plan"
    RETRIEVAL = "retrieval"
    SKETCH = "sketch"
    CANDIDATES = "candidates"
    VERDICT = "verdict"
    CRITIQUE = "critique"


LlmPolicy = Literal["recorded", "live", "recorded-then-live"]
"""Where the answer to a language-model request comes from."""

ANSWERED = (ReplayStage.STATEMENT, ReplayStage.RETRIEVAL, ReplayStage.VERDICT)
"""Stages whose answers are expensive and recorded; every other one decides again, for free."""


class StageReason(Model):
    """One difference between the two runs, and the first stage that it touches."""

    what: str
    """Field of the run configuration, part of the installation, or option."""
    stage: ReplayStage
    old: str = ""
    new: str = ""


class Replay(Model):
    """Which run is replayed, and how; stands in the new run's `run_started`."""

    run_id: str
    """The run that is replayed."""
    trace_digest: str
    """SHA-256 of the trace that it was read from."""
    recording: str = Field(pattern=r"^[a-z0-9]{1,64}$")
    """Where the bus holds its recorded answers."""
    llm: LlmPolicy = "recorded"
    live_from: ReplayStage | None = None
    """The first stage that a difference touches; none: nothing differs."""
    recheck: bool = False
    """Whether Lean is asked everything again."""
    reasons: tuple[StageReason, ...] = ()
    """Every difference with the stage that it touches; that stage's answers are asked anew."""
    only: tuple[str, ...] = ()
    """Problems that are replayed; empty: all."""
    outcomes: dict[str, int] = Field(default_factory=dict)
    """The old run's problems by outcome, `open` for those that had not ended."""

    def reuses(self, stage: ReplayStage) -> bool:
        """Whether a recorded answer of this stage may be used."""
        if self.recheck and stage in {ReplayStage.STATEMENT, ReplayStage.VERDICT}:
            return False
        return stage not in {reason.stage for reason in self.reasons}
