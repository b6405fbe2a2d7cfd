"""Events that account for calls of a language model."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import Field

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.llm import LlmOutcome

RETURNED = "_parent"
"""Whom the calls go to that a child problem gives back when it ends; no problem's id."""


class LlmReserved(Payload):
    """Calls of the budget are taken, before they are made."""

    NAME: ClassVar[str] = "llm_reserved"

    call: int = Field(ge=1)
    """Number of the call within the problem, or of the first of them."""
    calls: int = Field(default=1, ge=1)
    """How many are taken; more than one only where they go to another problem."""
    agent: str
    purpose: str
    granted_to: str = ""
    """The child problem that may make these calls, or `RETURNED`; none: the agent makes one."""

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
    request: dict[str, Any] = Field(default_factory=dict)
    """The request as sent; empty where it was not recorded."""
    response: str
    """The answer as it came; empty where none came."""
    stop_reason: str
    outcome: LlmOutcome = LlmOutcome.ANSWERED
    error: str = ""
    """What went wrong, without secrets."""
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cache_read_tokens: int = Field(default=0, ge=0)
    cache_write_tokens: int = Field(default=0, ge=0)
    cost_usd: float = Field(default=0.0, ge=0)
    latency_ms: float = Field(default=0.0, ge=0)
    retry: int = Field(default=0, ge=0)
    """Which try of the same request this is, from 0."""

    def decides(self) -> Sequence[str | int]:
        """One exchange per call number."""
        return (self.call,)
