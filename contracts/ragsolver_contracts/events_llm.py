"""Events that account for calls of a language model."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import Field

from ragsolver_contracts.envelope import Payload


class LlmReserved(Payload):
    """One call of the budget is taken, before it is made."""

    NAME: ClassVar[str] = "llm_reserved"

    call: int = Field(ge=1)
    """Number of the call within the problem."""
    agent: str
    purpose: str

    def decides(self) -> Sequence[str | int]:
        """One reservation per call number: who takes it is decided by the first write."""
        return (self.call,)


class LlmCalled(Payload):
    """The whole exchange of one call, stored before its answer is used."""

    NAME: ClassVar[str] = "llm_called"

    call: int = Field(ge=1)
    agent: str
    purpose: str
    prompt_id: str
    prompt_hash: str
    model: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    request_hash: str
    response: str
    stop_reason: str
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost_usd: float = Field(default=0.0, ge=0)
    latency_ms: float = Field(default=0.0, ge=0)
    retry: int = Field(default=0, ge=0)

    def decides(self) -> Sequence[str | int]:
        """One exchange per call number."""
        return (self.call,)
