"""A model for load tests: the smallest valid answer to everything, at once or after a while."""

import asyncio
import json
import time
from dataclasses import dataclass

from ragsolver_contracts.llm import LlmOutcome, LlmReply, LlmRequest, Usage
from ragsolver_runtime.llm.port import CallId
from ragsolver_runtime.llm.smallest import NoInstanceError, smallest

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class EchoModel:
    """Answers what satisfies the schema and says nothing; free text gets the question back."""

    delay_s: float = 0.0

    async def ask(self, request: LlmRequest, call: CallId) -> LlmReply:
        """The smallest answer; `rejected` where the schema has no instance that it can make."""
        started = time.monotonic()
        await asyncio.sleep(self.delay_s)
        asked = "".join(block.text for message in request.messages for block in message.content)
        try:
            text = asked if request.answer_schema is None else _smallest_json(request)
        except NoInstanceError as error:
            said = f"the echo has no answer for the {call.agent}'s {call.purpose}: {error}"
            return LlmReply(outcome=LlmOutcome.REJECTED, error=said)
        before = sum(len(block.text) for block in request.system) + len(asked)
        return LlmReply(
            outcome=LlmOutcome.ANSWERED,
            text=text,
            stop_reason="end_turn",
            usage=Usage(
                input_tokens=before // _CHARACTERS_PER_TOKEN,
                output_tokens=len(text) // _CHARACTERS_PER_TOKEN,
            ),
            latency_ms=(time.monotonic() - started) * 1000,
            server_id=f"echo-{call.run_id}-{call.problem_id}-{call.call}",
        )


def _smallest_json(request: LlmRequest) -> str:
    return json.dumps(smallest(request.answer_schema or {}), ensure_ascii=False)
