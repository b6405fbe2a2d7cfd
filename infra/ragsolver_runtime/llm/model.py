"""The model of one process: who answers, when it may be asked, and what that costs."""

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from ragsolver_contracts.llm import LlmReply, Usage
from ragsolver_runtime.llm.backoff import Backoff
from ragsolver_runtime.llm.port import NoModelError, Provider


class Turn(Protocol):
    """One request that may be made now."""

    async def settle(self, reply: LlmReply) -> None:
        """Tell what came of it."""


class Turns(Protocol):
    """Gives out turns."""

    def turn(self) -> AbstractAsyncContextManager[Turn]:
        """Waits until a request may be made."""


class Cost(Protocol):
    """Of one try."""

    @property
    def usd(self) -> float:
        """US dollars."""


class Prices(Protocol):
    """What calls cost."""

    def cost(self, model: str, usage: Usage) -> Cost:
        """What a try cost."""


class _FreeTurn:
    async def settle(self, reply: LlmReply) -> None:
        """Nothing is limited."""


class Unlimited:
    """Turns at once."""

    def turn(self) -> AbstractAsyncContextManager[Turn]:
        """At once."""
        return nullcontext(_FreeTurn())


@dataclass(frozen=True)
class _Nothing:
    usd: float = 0.0


class Free:
    """Every call costs nothing."""

    def cost(self, model: str, usage: Usage) -> Cost:
        """Nothing."""
        return _Nothing()


@dataclass(frozen=True)
class Model:
    """Everything behind a live call."""

    provider: Provider
    backoff: Backoff = field(default_factory=Backoff)
    turns: Turns = field(default_factory=Unlimited)
    prices: Prices = field(default_factory=Free)


async def no_model() -> Model:
    """For a process without a model.

    Raises:
        NoModelError: always.
    """
    raise NoModelError(
        "this process can ask no model: set ANTHROPIC_API_KEY where the workers run, choose "
        "another provider in the [model] table of the worker settings, or take a configuration "
        "without language models, for example --config full"
    )
