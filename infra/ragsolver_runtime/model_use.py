"""What calls of a language model came to, by agent and model."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.llm import LlmOutcome


class ModelUse(Model):
    """Calls of one agent to one model, every try counted."""

    agent: str
    model: str
    calls: int = 0
    """Recorded ones, with those that a replay used again."""
    reused: int = 0
    """Of these, answered from a recording: they cost nothing now."""
    outcomes: dict[str, int] = Field(default_factory=dict)
    """Calls by how they ended."""
    input_tokens: int = 0
    """Read at the full price; tokens and cost are of calls that were made now."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0


class ModelTotals(Model):
    """All calls of a run."""

    calls: int = 0
    """Taken from budgets, those included of which nothing is recorded yet."""
    reused: int = 0
    lost: int = 0
    """Nobody has their answer; they may have been paid."""
    unrecorded: int = 0
    """Reserved and not recorded: on their way, or given up with their problem."""
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0

    @property
    def cache_tokens(self) -> int:
        """Read from a server's cache, and kept in it."""
        return self.cache_read_tokens + self.cache_write_tokens


@dataclass
class CallCounter:
    """Counts calls event by event; the caller takes no event twice."""

    _reserved: int = 0
    _uses: dict[tuple[str, str], ModelUse] = field(default_factory=dict)

    def apply(self, event: AnyEvent) -> None:
        """Take one event in."""
        match event.data:
            case LlmReserved(granted_to=""):
                self._reserved += 1
            case LlmCalled() as called:
                key = (called.agent, called.model)
                before = self._uses.get(key, ModelUse(agent=called.agent, model=called.model))
                self._uses[key] = _with(before, called, again=event.recordedfrom is not None)
            case _:
                pass

    @property
    def uses(self) -> tuple[ModelUse, ...]:
        """By agent and model."""
        return tuple(self._uses[key] for key in sorted(self._uses))

    @property
    def totals(self) -> ModelTotals:
        """Of all agents and models."""
        uses = self.uses
        recorded = sum(use.calls for use in uses)
        return ModelTotals(
            calls=max(self._reserved, recorded),
            reused=sum(use.reused for use in uses),
            lost=sum(use.outcomes.get(LlmOutcome.LOST.value, 0) for use in uses),
            unrecorded=max(self._reserved - recorded, 0),
            input_tokens=sum(use.input_tokens for use in uses),
            output_tokens=sum(use.output_tokens for use in uses),
            cache_read_tokens=sum(use.cache_read_tokens for use in uses),
            cache_write_tokens=sum(use.cache_write_tokens for use in uses),
            cost_usd=sum(use.cost_usd for use in uses),
        )


HEAD = ("agent", "model", "calls", "how they ended", "in", "out", "cached", "USD")


def use_rows(uses: Iterable[ModelUse]) -> Iterator[tuple[str, ...]]:
    """Cells of a table under `HEAD`: tokens read and written, and read from or into a cache."""
    for use in uses:
        ended = sorted(use.outcomes.items(), key=lambda item: (-item[1], item[0]))
        said = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in ended)
        again = f" ({use.reused} from the recording)" if use.reused else ""
        cached = f"{use.cache_read_tokens} / {use.cache_write_tokens}"
        tokens = (str(use.input_tokens), str(use.output_tokens), cached)
        cost = f"{use.cost_usd:.4f}"
        yield (use.agent, use.model, f"{use.calls}{again}", said, *tokens, cost)


def _with(use: ModelUse, called: LlmCalled, *, again: bool) -> ModelUse:
    outcomes = Counter(use.outcomes)
    outcomes[called.outcome.value] += 1
    live = 0 if again else 1
    return ModelUse(
        agent=use.agent,
        model=use.model,
        calls=use.calls + 1,
        reused=use.reused + 1 - live,
        outcomes=dict(outcomes),
        input_tokens=use.input_tokens + live * called.input_tokens,
        output_tokens=use.output_tokens + live * called.output_tokens,
        cache_read_tokens=use.cache_read_tokens + live * called.cache_read_tokens,
        cache_write_tokens=use.cache_write_tokens + live * called.cache_write_tokens,
        cost_usd=use.cost_usd + live * called.cost_usd,
    )
