"""What a problem cost, and what of it was used again and cost nothing."""

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    EvidenceRetrieved,
    VerdictIssued,
)


class Cost(Model):
    """Work of the expensive kinds."""

    llm_calls: int = 0
    llm_tokens: int = 0
    """Input, output, and what a server's cache read or kept."""
    llm_usd: float = 0.0
    lean_checks: int = 0
    """Candidates and statements."""
    lean_s: float = Field(default=0.0, ge=0)
    """Seconds that Lean took for candidates."""
    retrievals: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        mine = self.model_dump()
        return Cost(**{name: value + mine[name] for name, value in other.model_dump().items()})

    @property
    def nothing(self) -> bool:
        """Whether there was none of it."""
        return self == Cost()


class Spent(Model):
    """Live work, and recorded work that was used again."""

    live: Cost = Cost()
    reused: Cost = Cost()

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(live=self.live + other.live, reused=self.reused + other.reused)


def spent_on(case: Case) -> Spent:
    """What one problem of a run cost."""
    live, reused = Cost(), Cost()
    for event in case.events.values():
        cost = _cost(event.data, retrieves=case.config.retrieval.enabled)
        if event.recordedfrom is None:
            live += cost
        else:
            reused += cost
    return Spent(live=live, reused=reused)


def _cost(data: object, *, retrieves: bool) -> Cost:
    match data:
        case LlmCalled() as called:
            return Cost(llm_calls=1, llm_tokens=_tokens(called), llm_usd=called.cost_usd)
        case StatementChecked():
            return Cost(lean_checks=1)
        case VerdictIssued(verdict=verdict):
            return Cost(lean_checks=1, lean_s=verdict.elapsed_ms / 1000)
        case EvidenceRetrieved():
            return Cost(retrievals=int(retrieves))
        case _:
            return Cost()


def _tokens(called: LlmCalled) -> int:
    cached = called.cache_read_tokens + called.cache_write_tokens
    return called.input_tokens + called.output_tokens + cached
