"""The calls of language models for one problem."""

import json
from collections.abc import Sequence

from pydantic import AwareDatetime

from ragsolver_contracts.base import Model
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.llm import Block, LlmRequest


class CallLine(Model):
    """One call of the budget."""

    call: int
    agent: str
    purpose: str
    model: str = ""
    outcome: str
    """How it ended; `on its way` where nothing is recorded, `granted` to a child problem."""
    error: str = ""
    granted_to: str = ""
    calls: int = 1
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float = 0.0
    latency_ms: float = 0.0
    retry: int = 0
    recorded: bool = False
    time: AwareDatetime | None = None
    source: str = ""


class Turn(Model):
    """One text of the conversation."""

    role: str
    text: str


class Exchange(Model):
    """A whole call."""

    line: CallLine
    prompt: str
    prompt_hash: str
    parameters: dict[str, str]
    stop_reason: str
    turns: tuple[Turn, ...]
    """Empty where the request was not recorded."""
    answer: str
    """Laid out where it is JSON."""
    is_json: bool


def calls_of(events: Sequence[AnyEvent]) -> tuple[CallLine, ...]:
    """Every call by number."""
    lines: dict[int, CallLine] = {}
    for event in events:
        match event.data:
            case LlmReserved() as reserved if reserved.call not in lines:
                lines[reserved.call] = _reserved(event, reserved)
            case LlmCalled() as called:
                lines[called.call] = line_of_call(event, called)
            case _:
                pass
    return tuple(lines[number] for number in sorted(lines))


def _reserved(event: AnyEvent, data: LlmReserved) -> CallLine:
    return CallLine(
        call=data.call,
        agent=data.agent,
        purpose=data.purpose,
        outcome="granted" if data.granted_to else "on its way",
        granted_to=data.granted_to,
        calls=data.calls,
        time=event.time,
        source=event.source,
    )


def line_of_call(event: AnyEvent, data: LlmCalled) -> CallLine:
    """The line of one call."""
    return CallLine(
        call=data.call,
        agent=data.agent,
        purpose=data.purpose,
        model=data.model,
        outcome=data.outcome.value,
        error=data.error,
        tokens_in=data.input_tokens,
        tokens_out=data.output_tokens,
        tokens_cached=data.cache_read_tokens + data.cache_write_tokens,
        cost_usd=data.cost_usd,
        latency_ms=data.latency_ms,
        retry=data.retry,
        recorded=event.recordedfrom is not None,
        time=event.time,
        source=event.source,
    )


def exchange_of(events: Sequence[AnyEvent], call: int) -> Exchange | None:
    """One call in full; none where nothing is recorded of it."""
    for event in events:
        data = event.data
        if isinstance(data, LlmCalled) and data.call == call:
            answer, is_json = laid_out(data.response)
            return Exchange(
                line=line_of_call(event, data),
                prompt=data.prompt_id,
                prompt_hash=data.prompt_hash,
                parameters={
                    name: json.dumps(value, ensure_ascii=False)
                    for name, value in data.parameters.items()
                },
                stop_reason=data.stop_reason,
                turns=_turns(data),
                answer=answer,
                is_json=is_json,
            )
    return None


def laid_out(text: str) -> tuple[str, bool]:
    """JSON with indentation, anything else as it is; and whether it is JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return text, False
    if not isinstance(value, dict | list):
        return text, False
    return json.dumps(value, indent=2, ensure_ascii=False), True


def _turns(data: LlmCalled) -> tuple[Turn, ...]:
    if not data.request:
        return ()
    try:
        request = LlmRequest.model_validate(data.request)
    except ValueError:
        text = json.dumps(data.request, indent=2, ensure_ascii=False)
        return (Turn(role="request", text=text),)
    turns = [Turn(role="system", text=_text(request.system))] if request.system else []
    return (*turns, *(Turn(role=m.role, text=_text(m.content)) for m in request.messages))


def _text(blocks: Sequence[Block]) -> str:
    return "\n\n".join(b.text if not b.image else f"[image, {b.media_type}]" for b in blocks)
