"""Small requests and calls of a language model, for tests."""

from typing import Any

from ragsolver_contracts.llm import Block, LlmRequest, Message
from ragsolver_runtime.llm.port import CallId

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 2}},
    "required": ["text"],
}


def request(text: str = "Prove it.", **changes: Any) -> LlmRequest:
    """A request for a JSON answer."""
    values: dict[str, Any] = {
        "model": "claude-test",
        "max_tokens": 100,
        "messages": (Message(role="user", content=(Block(text=text),)),),
        "answer_schema": SCHEMA,
    }
    return LlmRequest(**{**values, **changes})


def call_id(**changes: Any) -> CallId:
    """The first sketch of a problem."""
    values: dict[str, Any] = {
        "run_id": "r1",
        "problem_id": "p1",
        "call": 1,
        "agent": "generator",
        "purpose": "sketch",
        "turn": 1,
    }
    return CallId(**{**values, **changes})
