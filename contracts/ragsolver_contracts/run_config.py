"""The configuration of one run: recorded in `run_started`, obeyed by every worker.

What changes a decision belongs here; how a process runs (session counts, model paths) belongs to
the worker's own settings.
"""

from typing import Any, Literal

from pydantic import Field, model_validator

from ragsolver_contracts.base import Model
from ragsolver_contracts.llm import Agent
from ragsolver_contracts.verdict import Tier

Engine = Literal["portfolio", "llm"]


class Budget(Model):
    """What a problem may spend."""

    llm_calls: int = Field(default=20, ge=0)
    """Calls of a language model per problem, every retry counted, over all workers."""
    attempts: int = Field(default=40, ge=1)
    """Attempts per problem."""
    lean_s: float | None = Field(default=None, gt=0)
    """Seconds of Lean per problem, over all its checks; no new attempt begins beyond them."""


class Engines(Model):
    """Which engine each deciding worker uses."""

    planner: Engine = "portfolio"
    generator: Engine = "portfolio"
    formalizer: Engine = "portfolio"
    critic: Engine = "portfolio"

    @model_validator(mode="after")
    def _whole(self) -> "Engines":
        if (self.generator == "llm") != (self.formalizer == "llm"):
            raise ValueError(
                "generator and formalizer work on one sketch: give both the engine 'llm', or none"
            )
        return self


class PlannerConfig(Model):
    """How the planner of the portfolio works."""

    queries: Literal["composed", "statement"] = "composed"
    """`composed`: the target, the operations in it, the words of the problem; `statement`: the
    elaborated statement and nothing else."""
    plans: int = Field(default=2, ge=1, le=10)
    """At most this many plans per problem; 1: the critic never asks for another. Without a
    language model a third set of queries found nothing in trials."""


class AgentModel(Model):
    """What one agent asks for otherwise than the others."""

    model: str | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    parameters: dict[str, Any] = Field(default_factory=dict)


class LlmConfig(Model):
    """How the engine `llm` works; where the model is served is the worker's own setting."""

    model: str = "claude-sonnet-4-5"
    """Name as the server knows it."""
    max_tokens: int = Field(default=8_000, ge=1)
    """Longest answer, in tokens."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Further parameters of the Messages API, for example `temperature`."""
    agents: dict[Agent, AgentModel] = Field(default_factory=dict)
    portfolio_first: bool = True
    """Whether a model is asked only for what the portfolio leaves."""
    attempts: int = Field(default=8, ge=0)
    """Sketches of the model per problem."""
    candidates: int = Field(default=3, ge=1, le=16)
    """Candidates per sketch."""
    plans: int = Field(default=2, ge=0)
    """Plans of the model per problem."""
    statements: int = Field(default=3, ge=1)
    """Statements that may be written for a problem in words."""
    depth: int = Field(default=2, ge=0)
    """Levels of child problems; 0: no sketch is decomposed."""
    width: int = Field(default=4, ge=1, le=16)
    """Child problems per sketch at most."""
    child_calls: int = Field(default=3, ge=0)
    """Calls of the parent's budget that each child is granted at most."""
    max_heartbeats: int = Field(default=200_000, ge=1_000)
    """Lean heartbeats per candidate of the model."""
    timeout_s: float = Field(default=120.0, gt=0)
    """Wall-clock seconds per candidate of the model."""

    def of(self, agent: Agent) -> AgentModel:
        """Model, longest answer and parameters of one agent, complete."""
        own = self.agents.get(agent, AgentModel())
        return AgentModel(
            model=own.model or self.model,
            max_tokens=own.max_tokens or self.max_tokens,
            parameters={**self.parameters, **own.parameters},
        )


class RetrievalConfig(Model):
    """How evidence is retrieved."""

    enabled: bool = True
    rerank: bool = False
    k: int = Field(default=8, ge=1, le=100)
    n_candidates: int = Field(default=50, ge=1, le=1000)
    error_rounds: int = Field(default=2, ge=0)
    """At most this many retrievals in `error` mode per problem."""


class PortfolioStage(Model):
    """One attempt of the portfolio engine: families of tactic scripts tried together."""

    name: str
    families: tuple[str, ...] = Field(min_length=1)
    negated: bool = False
    """Try to prove the negation of the statement."""
    max_heartbeats: int = Field(default=100_000, ge=1_000)
    """Lean heartbeats (thousands of small allocations) per candidate."""
    timeout_s: float = Field(default=20.0, gt=0)
    """Wall-clock seconds per candidate, enforced by killing the checker."""


class Experience(Model):
    """What became of one strategy on statements of one shape, in past traces."""

    strategy: str
    """Family and variant; `*` stands for the name of a lemma."""
    shape: str
    """Sorts of the variables and head of the target."""
    tries: int = Field(ge=1)
    accepted: int = Field(ge=0)
    mean_ms: float = Field(ge=0)
    """CPU milliseconds of Lean per try."""
    killed: int = Field(default=0, ge=0)
    """Tries that ended at a limit or with the death of the process."""


class PortfolioConfig(Model):
    """The stages of the portfolio and how they are ordered."""

    stages: tuple[PortfolioStage, ...] = ()
    batch_size: int = Field(default=8, ge=1, le=64)
    """Candidates per check."""
    order: Literal["listed", "learned"] = "listed"
    """`listed`: stages and their scripts as they stand; `learned`: by expected proofs per second
    of Lean, after `experience`."""
    experience: tuple[Experience, ...] = ()
    negation_share: float = Field(default=0.25, ge=0, le=1)
    """Largest part of `budget.lean_s` that may go to the negation."""


class VerifierConfig(Model):
    """Limits of one candidate's check."""

    memory_mb: int = Field(default=4_000, ge=500)
    """Resident memory at which a checker is stopped."""
    compatibility_header: bool = True
    """Try a statement whose header imports Mathlib under the core-Lean header."""
    tier: Tier = "checked"
    """How much has to stand behind a verdict before it is accepted; see `Verdict.tier`."""


class RunConfig(Model):
    """Everything that decides what a run does."""

    name: str = "full"
    budget: Budget = Budget()
    engines: Engines = Engines()
    planner: PlannerConfig = PlannerConfig()
    llm: LlmConfig = LlmConfig()
    retrieval: RetrievalConfig = RetrievalConfig()
    portfolio: PortfolioConfig = PortfolioConfig()
    verifier: VerifierConfig = VerifierConfig()
    seed: int = 0
