"""A request as the Messages API takes it, and what is heard of its answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pydantic_core

from ragsolver_contracts.llm import Block, LlmOutcome, LlmReply, LlmRequest, Usage
from ragsolver_runtime.llm.port import CallId

Structured = Literal["schema", "tool"]
OURS = frozenset({"model", "messages", "system", "stream", "max_tokens", "metadata", "tools"})
"""What a run's `parameters` may not set."""
_LONGEST_USER_ID = 256
_LONGEST_ANSWER = 2_000_000
"""Characters; a server that sends more than that is not answering."""
_DEFAULT_TOOL = "answer"
_STOPPED = {
    "refusal": (LlmOutcome.REFUSED, "the model declined to answer"),
    "max_tokens": (LlmOutcome.TRUNCATED, "the answer reached max_tokens"),
    "model_context_window_exceeded": (
        LlmOutcome.CONTEXT_OVERFLOW,
        "request and answer are longer than the model reads",
    ),
}
_COMPLETE = frozenset({"end_turn", "stop_sequence", "tool_use"})


class RequestError(ValueError):
    """The request cannot be sent; the message says what to change."""


def call_name(call: CallId) -> str:
    """The call as servers are told of it: `run/problem/call/agent/purpose/turn`."""
    parts = (call.run_id, call.problem_id, call.call, call.agent, call.purpose, call.turn)
    return "/".join(map(str, parts))[:_LONGEST_USER_ID]


def body(request: LlmRequest, call: CallId, structured: Structured) -> dict[str, Any]:
    """The JSON of a streamed request, but for the model and what the SDK adds.

    Raises:
        RequestError: a parameter sets what is not for a run to set.
    """
    taken = OURS & set(request.parameters)
    if taken:
        raise RequestError(f"llm.parameters may not set {', '.join(sorted(taken))}")
    made: dict[str, Any] = {
        **request.parameters,
        "messages": [
            {"role": message.role, "content": [_block(block) for block in message.content]}
            for message in request.messages
        ],
        "metadata": {"user_id": call_name(call)},
    }
    if request.system:
        made["system"] = [_block(block) for block in request.system]
    if request.answer_schema is not None:
        made |= _structure(request, structured)
    return made


def _structure(request: LlmRequest, structured: Structured) -> dict[str, Any]:
    schema = dict(request.answer_schema or {})
    if structured == "tool":
        name = request.answer_name or _DEFAULT_TOOL
        told = "Gives the answer. Call it once, with the whole answer."
        return {
            "tools": [{"name": name, "description": told, "input_schema": schema}],
            "tool_choice": {"type": "tool", "name": name, "disable_parallel_tool_use": True},
        }
    from anthropic import transform_schema

    own = request.parameters.get("output_config", {})
    try:
        reduced = transform_schema(schema)
    except (ValueError, TypeError, AssertionError) as error:
        raise RequestError(f"the answer's schema cannot be sent: {error}") from error
    return {"output_config": {**own, "format": {"type": "json_schema", "schema": reduced}}}


def _block(block: Block) -> dict[str, Any]:
    made: dict[str, Any]
    if block.image:
        source = {"type": "base64", "media_type": block.media_type, "data": block.image}
        made = {"type": "image", "source": source}
    else:
        made = {"type": "text", "text": block.text}
    if block.cached:
        made["cache_control"] = {"type": "ephemeral"}
    return made


@dataclass
class Heard:
    """What a stream has said so far."""

    server_id: str = ""
    stop_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    began: bool = False
    too_long: bool = False
    _texts: list[str] = field(default_factory=list)
    _tool: list[str] = field(default_factory=list)
    _whole_tool: Any = None
    _length: int = 0

    def take(self, event: Any) -> None:
        """One event of the stream; kinds that are not known say nothing."""
        match getattr(event, "type", None):
            case "message_start":
                self.began = True
                said = getattr(event.message, "id", None)
                self.server_id = self.server_id or storable(str(said or ""))
                self._count(getattr(event.message, "usage", None))
            case "content_block_start":
                self._started(event.content_block)
            case "content_block_delta":
                self._more(event.delta)
            case "message_delta":
                said = getattr(event.delta, "stop_reason", None)
                self.stop_reason = storable(str(said)) if said else self.stop_reason
                self._count(getattr(event, "usage", None))

    def _started(self, block: Any) -> None:
        if getattr(block, "type", None) == "text":
            self._add(self._texts, getattr(block, "text", None))
        elif getattr(block, "type", None) == "tool_use" and getattr(block, "input", None):
            self._whole_tool = block.input  # some servers send it at once

    def _more(self, delta: Any) -> None:
        match getattr(delta, "type", None):
            case "text_delta":
                self._add(self._texts, delta.text)
            case "input_json_delta":
                self._add(self._tool, delta.partial_json)

    def _add(self, parts: list[str], piece: Any) -> None:
        if isinstance(piece, str):
            self._length += len(piece)
            self.too_long = self._length > _LONGEST_ANSWER
            parts.append(piece)

    def _count(self, said: Any) -> None:
        """Counts are cumulative: a later one replaces an earlier one."""
        fields = {
            "input_tokens": "input_tokens",
            "output_tokens": "output_tokens",
            "cache_read_tokens": "cache_read_input_tokens",
            "cache_write_tokens": "cache_creation_input_tokens",
        }
        found = {ours: getattr(said, theirs, None) for ours, theirs in fields.items()}
        counts = {name: n for name, n in found.items() if isinstance(n, int) and n >= 0}
        self.usage = self.usage.model_copy(update=counts)

    @property
    def text(self) -> str:
        """The answer so far, in characters that can be stored."""
        said = "".join(self._tool)
        if not said and self._whole_tool is not None:
            said = json.dumps(self._whole_tool, ensure_ascii=False, default=str)
        said = said or "".join(self._texts)
        return storable(said)

    def reply(self, request: LlmRequest) -> LlmReply:
        """What came of a stream that ended by itself."""
        outcome, error = self._ended(request)
        return LlmReply(
            outcome=outcome,
            text=self.text,
            stop_reason=self.stop_reason,
            error=error,
            usage=self.usage,
            server_id=self.server_id,
        )

    def _ended(self, request: LlmRequest) -> tuple[LlmOutcome, str]:
        if self.too_long:
            return LlmOutcome.INVALID, f"the answer is longer than {_LONGEST_ANSWER} characters"
        if self.stop_reason in _STOPPED:
            return _STOPPED[self.stop_reason]
        if not self.stop_reason:
            how = "in the middle of the answer" if self.began else "before an answer began"
            return LlmOutcome.CONNECTION, f"the stream ended {how}"
        if self.stop_reason not in _COMPLETE:
            return LlmOutcome.INVALID, f"the answer stopped for {self.stop_reason!r}"
        if request.answer_schema is not None:
            wrong = no_object(self.text)
            return (LlmOutcome.INVALID, wrong) if wrong else (LlmOutcome.ANSWERED, "")
        if not self.text.strip():
            return LlmOutcome.INVALID, "the answer is empty"
        return LlmOutcome.ANSWERED, ""


def storable(text: str) -> str:
    """The text without halves of characters, which JSON may hold and UTF-8 may not."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def no_object(text: str) -> str:
    """Why a text is no JSON object; empty where it is one."""
    try:
        value = pydantic_core.from_json(text)
    except ValueError as error:
        return f"the answer is not JSON: {error}"
    return "" if isinstance(value, Mapping) else "the answer is no JSON object"
