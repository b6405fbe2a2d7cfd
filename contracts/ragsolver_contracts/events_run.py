"""Events of a run and of its intake, and the runtime's own."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.evaluation import Evaluation
from ragsolver_contracts.problem import Problem, RefusalReason
from ragsolver_contracts.replay import Replay
from ragsolver_contracts.run_config import RunConfig


class RunStarted(Payload):
    """A run began: its configuration, versions and size."""

    NAME: ClassVar[str] = "run_started"

    config: RunConfig
    config_digest: str
    versions: dict[str, str] = Field(default_factory=dict)
    problem_count: int | None = Field(default=None, ge=0)
    """Inputs that the starter means to submit; none for a standing run."""
    parent_run: str | None = None
    """The run that this one replays."""
    replays: Replay | None = None
    """How it is replayed."""
    evaluation: Evaluation | None = None
    """The evaluation that it is part of."""

    def decides(self) -> Sequence[str | int]:
        """One start per run."""
        return ()


class ProblemSubmitted(Payload):
    """An input became a canonical problem."""

    NAME: ClassVar[str] = "problem_submitted"

    problem: Problem

    def decides(self) -> Sequence[str | int]:
        """One canonical problem per problem id."""
        return ()


class ProblemRefused(Payload):
    """An input is not a problem that this configuration can attempt, and why."""

    NAME: ClassVar[str] = "problem_refused"

    name: str = ""
    """Name in the input, where one could be read."""
    reason: RefusalReason
    message: str
    pointer: str = ""
    """JSON pointer of what is wrong, for an input that was read."""
    line: int | None = None
    """1-based line of the input file, where there is one."""
    input_digest: str

    def decides(self) -> Sequence[str | int]:
        """One refusal per input."""
        return (self.input_digest,)


class WorkFailed(Payload):
    """A delivery exhausted its retries, or can never succeed: the dead letter."""

    NAME: ClassVar[str] = "work_failed"

    failed_role: str
    trigger_id: str
    """Id of the event whose delivery failed."""
    trigger_type: str
    stage: str = "handle"
    """`decode`, `load`, `handle`, `publish` or `check`."""
    error: str
    """Class of the error."""
    message: str
    deliveries: int = Field(default=1, ge=1)
    attempt: int | None = None
    """Set with `candidate` when one candidate alone could not be checked."""
    candidate: int | None = None

    def decides(self) -> Sequence[str | int]:
        """One failure per role, trigger and candidate."""
        return (
            self.failed_role,
            self.trigger_id,
            self.attempt if self.attempt is not None else "",
            self.candidate if self.candidate is not None else "",
        )


class ProblemCancelled(Payload):
    """Somebody asked that a problem gets no more work."""

    NAME: ClassVar[str] = "problem_cancelled"

    requested_by: str
    reason: str = ""

    def decides(self) -> Sequence[str | int]:
        """One cancellation per problem."""
        return ()


class RunFinished(Payload):
    """Every problem of the run has ended."""

    NAME: ClassVar[str] = "run_finished"

    outcomes: dict[str, int]
    """Number of problems by outcome."""
    refused_inputs: int = 0
    llm_calls: int = 0
    """Of language models, every try and every lost call counted."""
    lost_calls: int = 0
    input_tokens: int = 0
    """Of calls that were made by this run, as are the cost and the other tokens."""
    output_tokens: int = 0
    cache_tokens: int = 0
    cost_usd: float = 0.0
    elapsed_s: float = Field(default=0.0, ge=0)

    def decides(self) -> Sequence[str | int]:
        """One end per run."""
        return ()
