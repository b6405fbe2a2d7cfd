"""The model of one process: who answers, when it may be asked, and what that costs."""

from dataclasses import dataclass, field

from ragsolver_runtime.llm.backoff import Backoff
from ragsolver_runtime.llm.limits import NoLimits, Turns
from ragsolver_runtime.llm.port import NoModelError, Provider
from ragsolver_runtime.llm.prices import Prices

WITHOUT = (
    "choose another provider in the [model] table of the worker settings, or take a "
    "configuration without language models, for example --config full"
)


@dataclass(frozen=True)
class Model:
    """Everything behind a live call."""

    provider: Provider
    backoff: Backoff = field(default_factory=Backoff)
    turns: Turns = field(default_factory=NoLimits)
    prices: Prices = field(default_factory=Prices)


async def no_model() -> Model:
    """For a process without a model.

    Raises:
        NoModelError: always.
    """
    raise NoModelError(f"this process can ask no model: {WITHOUT}")
