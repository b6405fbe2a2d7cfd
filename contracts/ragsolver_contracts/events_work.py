"""Events of the workers that plan, retrieve, sketch, formalize, verify and criticise."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.llm import Agent, LlmOutcome
from ragsolver_contracts.plan import Hole, Subgoal
from ragsolver_contracts.report import Outcome, SolutionReport
from ragsolver_contracts.retrieval import RetrievalRequest, RetrievalResult
from ragsolver_contracts.run_config import Engine
from ragsolver_contracts.verdict import Verdict


class ProblemPlanned(Payload):
    """The problem was split into subgoals."""

    NAME: ClassVar[str] = "problem_planned"

    plan: int = Field(ge=1)
    subgoals: tuple[Subgoal, ...] = Field(min_length=1)
    engine: Engine = "portfolio"

    def decides(self) -> Sequence[str | int]:
        """One plan per number."""
        return (self.plan,)


class EvidenceRetrieved(Payload):
    """One retrieval: the question and everything that was found."""

    NAME: ClassVar[str] = "evidence_retrieved"

    plan: int = Field(ge=1)
    subgoal_id: str
    attempt: int = Field(default=0, ge=0)
    """0 for the plan's own retrieval; n for the one after the critique of attempt n."""
    request: RetrievalRequest
    result: RetrievalResult
    llm_calls: Literal[0] = 0

    def decides(self) -> Sequence[str | int]:
        """One retrieval per plan, subgoal and attempt."""
        return (self.plan, self.subgoal_id, self.attempt)


class ProofSketched(Payload):
    """A sketch for one attempt."""

    NAME: ClassVar[str] = "proof_sketched"

    attempt: int = Field(ge=1)
    plan: int = Field(ge=1)
    text: str
    holes: tuple[Hole, ...] = ()
    used_citations: tuple[str, ...] = ()
    """Citation ids that the sketch uses, for example `M1`."""
    offered_citations: tuple[str, ...] = ()
    """Citation ids that were shown or tried."""
    proof: str = ""
    """Lean text after `:=` with `sorry` for every hole, where the sketch is one."""
    stage: str = ""
    """Portfolio stage of this attempt; empty for a sketch of a language model."""
    reason: str = ""
    """Why this stage is next, in one sentence."""
    negated: bool = False
    engine: Engine = "portfolio"

    def decides(self) -> Sequence[str | int]:
        """One sketch per attempt."""
        return (self.attempt,)


class CandidateProposed(Payload):
    """One Lean candidate, unverified and untrusted."""

    NAME: ClassVar[str] = "candidate_proposed"

    attempt: int = Field(ge=1)
    candidate: int = Field(ge=0)
    """Number within the attempt."""
    batch: int = Field(ge=0)
    """Candidates of one batch are checked together."""
    closes_batch: bool
    """The last candidate of its batch, published last: its delivery starts the check."""
    closes_attempt: bool
    """The last candidate of its attempt."""
    text: CandidateText
    strategy: str
    negated: bool = False
    citations: tuple[str, ...] = ()
    """Citation ids that this candidate tries."""
    probe: bool = False
    """Whether Lean's answer feeds later candidates."""
    skeleton: bool = False
    """A sketch with `sorry` for its holes: it can never be accepted, its holes are to be told."""
    assembled: bool = False
    """A sketch whose holes are filled with the proofs of child problems."""
    alone: bool = False
    """Whether it may end its process: such ones never take all of a verifier's sessions."""
    expected_ms: float | None = Field(default=None, ge=0)
    """Milliseconds of Lean that it was expected to take."""
    expected_success: float | None = Field(default=None, ge=0, le=1)
    """Chance of acceptance that it was given."""
    limits: CheckLimits = CheckLimits()
    engine: Engine = "portfolio"

    def decides(self) -> Sequence[str | int]:
        """One candidate per attempt and number."""
        return (self.attempt, self.candidate)


class VerdictIssued(Payload):
    """The verifier's word on one candidate."""

    NAME: ClassVar[str] = "verdict_issued"

    attempt: int = Field(ge=1)
    candidate: int = Field(ge=0)
    closes_batch: bool = True
    """The last verdict of its check, published last: its delivery starts the critique."""
    verdict: Verdict

    def decides(self) -> Sequence[str | int]:
        """One verdict per candidate."""
        return (self.attempt, self.candidate)


class AttemptCritiqued(Payload):
    """What went wrong in an attempt, and what happens next."""

    NAME: ClassVar[str] = "attempt_critiqued"

    attempt: int = Field(ge=1)
    error_class: ErrorClass
    missing_identifiers: tuple[str, ...] = ()
    re_retrieve: bool = False
    route: Route
    advice: str = ""
    engine: Engine = "portfolio"

    def decides(self) -> Sequence[str | int]:
        """One critique per attempt."""
        return (self.attempt,)


class AttemptAbandoned(Payload):
    """An agent could not do its part, because no model gave it an answer."""

    NAME: ClassVar[str] = "attempt_abandoned"

    agent: Agent
    plan: int = Field(default=0, ge=0)
    """Plan that the agent was to make, or that it worked for."""
    attempt: int = Field(default=0, ge=0)
    """Attempt that the agent worked on; 0 for a plan or a statement."""
    statement: int = Field(default=0, ge=0)
    """Machine-written statement that the agent was to write or to judge."""
    outcome: LlmOutcome | None = None
    """How the last call ended; none: the budget of calls is used up."""
    message: str

    def decides(self) -> Sequence[str | int]:
        """One end per agent and what it worked on."""
        return (self.agent, self.plan, self.attempt, self.statement)


class ProblemSolved(Payload):
    """The kernel accepted a proof of the statement."""

    NAME: ClassVar[str] = "problem_solved"

    report: SolutionReport

    def decides(self) -> Sequence[str | int]:
        """One solution per problem."""
        return ()


class ProblemFailed(Payload):
    """The problem ended without a proof: not proved, false, or a failure of infrastructure."""

    NAME: ClassVar[str] = "problem_failed"

    outcome: Literal[Outcome.NOT_PROVED, Outcome.STATEMENT_FALSE, Outcome.INFRASTRUCTURE]
    message: str
    report: SolutionReport

    def decides(self) -> Sequence[str | int]:
        """One failure per problem."""
        return ()
