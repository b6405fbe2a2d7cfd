"""The simulated workers, three of which ask a model; what is paid and acknowledged is on file.

Their clocks are hours apart, as those of badly kept hosts: no order may depend on them.
The file is named by `SOAK_LEDGER`. A line is one write at the end of a file, so a process that is
killed right after it has left it behind.
"""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any

from nats.js import JetStreamContext
from nats.js.api import Header
from pydantic import BaseModel

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.llm import Block, LlmReply, LlmRequest
from ragsolver_runtime import budget, consume, dead_letter
from ragsolver_runtime.about import Decided
from ragsolver_runtime.llm import ledger
from ragsolver_runtime.llm.caller import Caller, OpenModel
from ragsolver_runtime.llm.model import Model
from ragsolver_runtime.llm.port import CallId, Prompt, Provider, Question
from ragsolver_runtime.worker import Decide, WorkerContext, WorkerSpec
from suites import simulated_workers as sim

ACK_WAIT_S = 1.5
LEDGER = "SOAK_LEDGER"
SKEW = {
    "planner": timedelta(hours=-2),
    "generator": timedelta(days=1),
    "formalizer": timedelta(hours=-5),
    "verifier": timedelta(hours=3),
    "critic": timedelta(days=-1),
}
"""How wrong the clock of each role is."""


class Word(BaseModel):
    """An answer."""

    word: str


def note(*parts: object) -> None:
    """Write a line that survives the death of this process."""
    line = " ".join(str(part) for part in parts) + "\n"
    file = os.open(os.environ[LEDGER], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


@dataclass(frozen=True)
class PaidProvider:
    """Counts what is asked, as whoever writes the bill would."""

    provider: Provider

    async def ask(self, request: LlmRequest, call: CallId) -> LlmReply:
        """Note the call, then make it."""
        note("paid", call.run_id, call.problem_id, call.call)
        return await self.provider.ask(request, call)


def _paid(open_model: OpenModel) -> OpenModel:
    async def _open() -> Model:
        model = await open_model()
        return replace(model, provider=PaidProvider(model.provider))

    return _open


def _soaked(spec: WorkerSpec, asks: Callable[[AnyEvent], bool] | None = None) -> WorkerSpec:
    """The worker with a shorter patience; asks the model first where `asks` holds."""

    @asynccontextmanager
    async def _open(context: WorkerContext) -> AsyncIterator[Decide]:
        _set_clock(SKEW.get(spec.role, timedelta()))
        caller = context.llm
        assert isinstance(caller, Caller)
        caller.open_model = _paid(caller.open_model)
        async with spec.open(context) as decide:

            async def _decide(case: Case, trigger: AnyEvent) -> Decided:
                if asks is not None and asks(trigger):
                    await caller.ask(case, trigger, _question(spec.role))
                return await decide(case, trigger)

            yield _decide

    return replace(spec, open=_open, ack_wait_s=ACK_WAIT_S)


def _set_clock(skew: timedelta) -> None:
    """Whatever this process writes down has another time from now on."""

    class _Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + skew

    for module in (consume, dead_letter, budget, ledger):
        module.datetime = _Clock  # type: ignore[attr-defined]


def _question(role: str) -> Question[Word]:
    prompt = Prompt(f"{role}.soak/1", "0" * 64, (), (Block(text="Say a word."),))
    return Question(role, "soak", prompt, Word)


def _statable(trigger: AnyEvent) -> bool:
    return isinstance(trigger.data, StatementChecked) and trigger.data.statable


def _always(_: AnyEvent) -> bool:
    return True


ASKING = ("planner", "generator", "formalizer")
PLANNER = _soaked(sim.PLANNER, _statable)
RETRIEVER = _soaked(sim.RETRIEVER)
GENERATOR = _soaked(sim.GENERATOR, _always)
FORMALIZER = _soaked(sim.FORMALIZER, _always)
VERIFIER = _soaked(sim.VERIFIER)
CRITIC = _soaked(sim.CRITIC)


def _note_acks() -> None:
    """Every event that the server says it has stored is noted, before anybody here knows."""
    publish = JetStreamContext.publish

    async def _publish(self: JetStreamContext, subject: str, *given: Any, **named: Any) -> Any:
        ack = await publish(self, subject, *given, **named)
        event_id = (named.get("headers") or {}).get(Header.MSG_ID.value)
        if event_id and not ack.duplicate:
            note("acked", subject.split(".")[3], event_id, ack.seq)
        return ack

    JetStreamContext.publish = _publish  # type: ignore[method-assign]


if os.environ.get(LEDGER):  # in worker processes only
    _note_acks()
