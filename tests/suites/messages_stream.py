"""The events of one streamed answer, whole or broken in some way."""

import json
from collections.abc import Iterator
from typing import Any, Final

from ragsolver_contracts.llm import LlmOutcome

CUT: Final = b"cut"
"""Here the connection breaks."""
HANG: Final = b"hang"
"""From here on nothing comes."""

_STOPS = {
    LlmOutcome.REFUSED: "refusal",
    LlmOutcome.TRUNCATED: "max_tokens",
    LlmOutcome.CONTEXT_OVERFLOW: "model_context_window_exceeded",
}
_HALF = '{"half": "an ans'


def stream_of(
    line: Any, asked: dict[str, Any], usage: dict[str, int], error: tuple[int, str, str] | None
) -> Iterator[bytes]:
    """The bytes of a stream, piece by piece, as a `ServerLine` asks for them."""
    tool = asked.get("tool_choice", {}).get("name")
    text = line.said() or (_HALF if line.fail else "")
    yield from _start(asked, usage, tool, text if line.how == "whole_tool" else None)
    if line.how == "garbage":
        yield b"event: content_block_delta\ndata: {this is no JSON\n\n"
        return
    if line.how == "shape":
        yield _event("content_block_delta", index=0, delta={"type": "text_delta"})
        yield _event("message_delta", delta=3, usage=[])
        yield _event("content_block_start", index=0)
        return
    if line.how != "whole_tool":
        for piece in _pieces(text, line.pieces):
            said = (
                {"type": "input_json_delta", "partial_json": piece}
                if tool
                else {"type": "text_delta", "text": piece}
            )
            yield _event("content_block_delta", index=0, delta=said)
    match line.fail:
        case LlmOutcome.CONNECTION:
            yield CUT
        case LlmOutcome.STALLED:
            yield HANG
        case _:
            if line.how == "in_stream" and error is not None:
                yield _event("error", error={"type": error[1], "message": error[2]})
                return
            yield from _end(_STOPS.get(line.fail, "tool_use" if tool else "end_turn"), usage)


def _start(
    asked: dict[str, Any], usage: dict[str, int], tool: str | None, whole: str | None
) -> Iterator[bytes]:
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**usage, "output_tokens": 1},
    }
    yield _event("message_start", message=message)
    yield _event("ping")
    block: dict[str, Any] = {"type": "text", "text": ""}
    if tool:
        given = json.loads(whole) if whole else {}
        block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}
    yield _event("content_block_start", index=0, content_block=block)


def _end(stop: str, usage: dict[str, int]) -> Iterator[bytes]:
    yield _event("content_block_stop", index=0)
    yield _event(
        "message_delta",
        delta={"stop_reason": stop, "stop_sequence": None},
        usage={"output_tokens": usage["output_tokens"]},
    )
    yield _event("message_stop")


def _pieces(text: str, count: int) -> Iterator[str]:
    size = max(len(text) // max(count, 1), 1)
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()
