"""A question as a request, and an answer as a value."""

from dataclasses import dataclass
from typing import Generic

from pydantic import ValidationError

from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.invalid import pointers
from ragsolver_contracts.llm import LlmOutcome, LlmReply, LlmRequest, Message
from ragsolver_contracts.run_config import LlmConfig
from ragsolver_runtime.llm.port import Answer, AnswerT, NoAnswer, Question

_SAID = 3
"""Faults of an invalid answer that its record names."""


@dataclass(frozen=True)
class Asked(Generic[AnswerT]):
    """A question of one delivery, with the request that asks it."""

    trigger: AnyEvent
    question: Question[AnswerT]
    request: LlmRequest
    request_hash: str

    def called(self, call: int, retry: int, reply: LlmReply, cost_usd: float) -> LlmCalled:
        """The record of one try; an answer that is not what was asked for is `invalid`."""
        outcome, error = reply.outcome, reply.error
        if outcome is LlmOutcome.ANSWERED:
            read = value_of(self.question, reply.text)
            if isinstance(read, str):
                outcome, error = LlmOutcome.INVALID, read
        return LlmCalled(
            call=call,
            agent=self.question.agent,
            purpose=self.question.purpose,
            prompt_id=self.question.prompt.prompt_id,
            prompt_hash=self.question.prompt.prompt_hash,
            model=self.request.model,
            parameters={**self.request.parameters, "max_tokens": self.request.max_tokens},
            request_hash=self.request_hash,
            request=self.request.model_dump(mode="json", exclude_defaults=True),
            response=reply.text,
            stop_reason=reply.stop_reason,
            outcome=outcome,
            error=error,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            cache_read_tokens=reply.usage.cache_read_tokens,
            cache_write_tokens=reply.usage.cache_write_tokens,
            cost_usd=cost_usd,
            latency_ms=reply.latency_ms,
            retry=retry,
        )

    def told(self, called: LlmCalled) -> Answer[AnswerT] | NoAnswer:
        """What an agent is told of a recorded try."""
        if called.outcome is not LlmOutcome.ANSWERED:
            return no_answer(called)
        read = value_of(self.question, called.response)
        if isinstance(read, str):
            invalid = {"outcome": LlmOutcome.INVALID, "error": read}
            return no_answer(called.model_copy(update=invalid))
        return Answer(read, called.call)


def asked(config: LlmConfig, trigger: AnyEvent, question: Question[AnswerT]) -> Asked[AnswerT]:
    """A question with its request.

    Args:
        config: models and parameters by agent.
        trigger: the event that makes it necessary.
        question: what is asked.
    """
    own = config.of(question.agent)
    request = LlmRequest(
        model=own.model or config.model,
        max_tokens=own.max_tokens or config.max_tokens,
        parameters=own.parameters,
        system=question.prompt.system,
        messages=(Message(role="user", content=question.prompt.user),),
        answer_schema=question.answer.model_json_schema(),
        answer_name=question.purpose,
    )
    return Asked(trigger, question, request, request.request_hash)


def value_of(question: Question[AnswerT], text: str) -> AnswerT | str:
    """The answer, or what is wrong with it.

    It is JSON and nothing else: a model that puts it between fences or adds words has not
    answered what was asked, and guessing which part it meant would hide that.
    """
    try:
        return question.answer.model_validate_json(text)
    except ValidationError as error:
        faults = [f"{where or '/'}: {what}" for where, what in pointers(error)]
        more = f" and {len(faults) - _SAID} more" if len(faults) > _SAID else ""
        return f"not a {question.answer.__name__}: {'; '.join(faults[:_SAID])}{more}"


def no_answer(called: LlmCalled) -> NoAnswer:
    """The end of a call that was recorded and gave no answer."""
    said = f"{called.model} gave the {called.agent} no {called.purpose}: {called.outcome.value}"
    if called.error:
        said = f"{said} ({called.error})"
    return NoAnswer(called.outcome, said, called.response)
