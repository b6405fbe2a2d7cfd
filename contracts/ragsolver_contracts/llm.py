"""One call of a language model as a value: the request, and what came of it."""

import json
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.ids import digest

Agent = Literal["planner", "generator", "formalizer", "critic"]

Purpose = Literal["plan", "sketch", "statement", "candidates", "critique", "fidelity"]
"""What an agent asks a model for."""


class LlmOutcome(StrEnum):
    """How one try of a call ended; every try is a call of the budget."""

    ANSWERED = "answered"
    """A complete answer that satisfies its schema."""
    REFUSED = "refused"
    """The model declined."""
    TRUNCATED = "truncated"
    """The answer reached `max_tokens`."""
    INVALID = "invalid"
    """The answer is not JSON, or not what was asked for."""
    CONTEXT_OVERFLOW = "context_overflow"
    """The request is longer than the model reads."""
    UNAUTHORIZED = "unauthorized"
    """No key, a wrong one, or one that may not use the model (401, 403)."""
    REJECTED = "rejected"
    """Another request that can never succeed (400, 404, 413, 422)."""
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    CONNECTION = "connection"
    """The connection was not made, or was lost."""
    STALLED = "stalled"
    """Nothing came for too long."""
    LOST = "lost"
    """The process that made the call died before its answer was stored; it may have been paid."""

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed at another time."""
        return self in _PASSES


_PASSES = frozenset(
    {
        LlmOutcome.RATE_LIMITED,
        LlmOutcome.OVERLOADED,
        LlmOutcome.SERVER_ERROR,
        LlmOutcome.CONNECTION,
        LlmOutcome.STALLED,
        LlmOutcome.LOST,
    }
)


class Block(Model):
    """One piece of a message: text, or an image."""

    text: str = ""
    image: str = ""
    """Base64 of the image's bytes; a block with an image has no text."""
    media_type: str = ""
    """Of the image, for example `image/png`."""
    cached: bool = False
    """A prefix that ends here may be kept by the server for the next request."""


class Message(Model):
    """One turn of the conversation."""

    role: Literal["user", "assistant"]
    content: tuple[Block, ...] = Field(min_length=1)


class LlmRequest(Model):
    """Everything that the answer depends on."""

    model: str
    max_tokens: int = Field(ge=1)
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Further parameters of the Messages API, for example `temperature`."""
    system: tuple[Block, ...] = ()
    messages: tuple[Message, ...] = Field(min_length=1)
    answer_schema: dict[str, Any] | None = None
    """JSON Schema of the answer; none: free text."""
    answer_name: str = ""

    @property
    def request_hash(self) -> str:
        """Hex SHA-256 over the whole request."""
        said = self.model_dump(mode="json")
        return digest(json.dumps(said, ensure_ascii=False, sort_keys=True))


class Usage(Model):
    """Tokens of one try, as the server counted them."""

    input_tokens: int = Field(default=0, ge=0)
    """Read at the full price."""
    output_tokens: int = Field(default=0, ge=0)
    cache_read_tokens: int = Field(default=0, ge=0)
    cache_write_tokens: int = Field(default=0, ge=0)


class LlmReply(Model):
    """What came of one try."""

    outcome: LlmOutcome
    text: str = ""
    """The answer as it came, also where it is not a valid one."""
    stop_reason: str = ""
    error: str = ""
    """What went wrong, without secrets."""
    retry_after_s: float | None = Field(default=None, ge=0)
    """Seconds that the server asked us to wait."""
    usage: Usage = Usage()
    latency_ms: float = Field(default=0.0, ge=0)
    server_id: str = ""
    """The server's own id of the request."""
