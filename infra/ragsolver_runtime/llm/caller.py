"""Asking a language model for an agent: within the budget, on record, and paid once.

A call is reserved before it is made and its whole exchange is stored before its answer is used,
so a delivery that comes again finds the answer and pays nothing. A process that dies in between
leaves a reservation without an exchange: whoever gets the delivery next records it as `lost`,
for it may have been paid, and goes on. The call is counted either way, never less (ADR 0011).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_runtime.budget import Exhausted, Outdated, Reserved, cap_of
from ragsolver_runtime.errors import NoRecordedAnswerError
from ragsolver_runtime.llm.asked import Asked, asked, no_answer
from ragsolver_runtime.llm.ledger import Ledger
from ragsolver_runtime.llm.model import Model
from ragsolver_runtime.llm.past import Past, past_of
from ragsolver_runtime.llm.port import Answer, AnswerT, CallId, NoAnswer, Question
from ragsolver_runtime.publish import Duplicate
from ragsolver_runtime.recorded import RecordedOf, nothing_recorded
from ragsolver_runtime.replay.exchanges import recorded_exchange
from ragsolver_runtime.wire import StoredEvent

_log = logging.getLogger(__name__)

_LOOK_AGAIN_S = 0.2
_GIVE_UP_S = 5.0
"""What a cancelled call gets to put itself on record."""

OpenModel = Callable[[], Awaitable[Model]]
"""The model of this process, opened with the first call.

Raises:
    NoModelError: there is none.
"""


@dataclass
class _Progress:
    """What one `ask` knows beside the events."""

    wait_s: float = 0.0
    """Before the next try."""
    waiting_until: float | None = None
    """Another process works on this delivery as well, and has until then to answer."""
    at_least: int = 0
    """Stream sequence that was written or seen."""

    def seen(self, sequence: int) -> None:
        """A later read must include this."""
        self.at_least = max(self.at_least, sequence)


@dataclass
class Caller:
    """The port of one worker process."""

    ledger: Ledger
    open_model: OpenModel
    recorded: RecordedOf = nothing_recorded
    patience_s: float = 330.0
    """What another process that took over a delivery gets to answer, in seconds."""
    _flying: set[tuple[str, str, int]] = field(default_factory=set, init=False)
    """Calls of this process that are on their way."""
    _asking: WeakValueDictionary[tuple[str, ...], asyncio.Lock] = field(
        default_factory=WeakValueDictionary, init=False
    )

    async def ask(
        self, case: Case, trigger: AnyEvent, question: Question[AnswerT]
    ) -> Answer[AnswerT] | NoAnswer:
        """The answer, from as many tries as it takes and the budget allows.

        Raises:
            NoModelError: this process can ask no model.
            NoRecordedAnswerError: a replay may not call and nothing is recorded.
        """
        what = asked(case.config.llm, trigger, question)
        key = (trigger.id, question.agent, question.purpose, what.request_hash)
        # Held by nobody else but a second lane of this process with the same delivery.
        async with self._asking.setdefault(key, asyncio.Lock()):
            return await self._answer(case, what)

    async def _answer(self, case: Case, what: Asked[AnswerT]) -> Answer[AnswerT] | NoAnswer:
        progress = _Progress()
        while True:
            stored = await self.ledger.stored(case, progress.at_least)
            past = past_of(stored, what)
            if past.settled is not None:
                return what.told(past.settled)
            if await self._others(case, what, past, progress):
                continue
            ended = await self._try(case, what, past, stored, progress)
            if ended is not None:
                return ended

    async def grant(self, case: Case, trigger: AnyEvent, child_id: str, calls: int) -> int:
        """Take up to `calls` of the problem's budget for a child problem; how many were left."""
        return await self.ledger.purse(case, trigger).grant(child_id, calls, self.ledger.role)

    async def settle(self, case: Case, trigger: AnyEvent) -> int:
        """Close the account of a problem that ends; the calls that it used, never too few."""
        return await self.ledger.purse(case, trigger).settle(self.ledger.role)

    async def _others(
        self, case: Case, what: Asked[AnswerT], past: Past, progress: _Progress
    ) -> bool:
        """Deal with calls in the air of this question; whether to look again.

        A delivery comes to somebody else only when its worker was silent for too long, so
        whoever has it now takes its calls for lost. One that was only slow finds its place
        taken, and waits for the other's answer instead of paying again.
        """
        now = asyncio.get_running_loop().time()
        if progress.waiting_until is not None:
            if now < progress.waiting_until:
                await asyncio.sleep(_LOOK_AGAIN_S)
                return True
            progress.waiting_until = None
        lost = False
        for flight in past.flights:
            if (case.run_id, case.problem_id, flight.call) in self._flying:
                continue  # of another question of this process
            said = f"{flight.source} stored no answer: it ended, or was silent for too long"
            stored = await self.ledger.lose(case, what, flight.call, len(past.tries), said)
            progress.seen(stored.sequence)
            lost = True
        return lost

    async def _try(
        self,
        case: Case,
        what: Asked[AnswerT],
        past: Past,
        stored: list[StoredEvent],
        progress: _Progress,
    ) -> NoAnswer | None:
        """One try; what it ends the question with, or none: look again."""
        if not await self.ledger.purse(case, what.trigger).left():
            return _exhausted(case, what, past)
        try:
            found = await self._recorded_try(case, what, stored)
        except NoRecordedAnswerError:
            if past.repeated is not None:  # the recorded run gave up here as well
                return no_answer(past.repeated)
            raise
        if found is not None:
            return await self._repeat(case, what, past, stored, found, progress)
        model = await self.open_model()
        if len(past.tries) >= model.backoff.tries:
            return no_answer(past.tries[-1])
        if progress.wait_s:
            wait_s, progress.wait_s = progress.wait_s, 0.0
            await asyncio.sleep(wait_s)
            return None
        return await self._call(case, what, past, stored, model, progress)

    async def _recorded_try(
        self, case: Case, what: Asked[AnswerT], stored: Iterable[StoredEvent]
    ) -> AnyEvent | None:
        recorded = await self.recorded(case.run_id, case.problem_id)
        events = [item.event for item in stored]
        so_far = Case.fold(case.run_id, case.problem_id, events, case.config)
        return await recorded_exchange(recorded, so_far, what.request_hash)

    async def _repeat(
        self,
        case: Case,
        what: Asked[AnswerT],
        past: Past,
        stored: list[StoredEvent],
        found: AnyEvent,
        progress: _Progress,
    ) -> NoAnswer | None:
        """A recorded try is reserved and stored again: a replay's account is the old one's."""
        reserved = await self._reserve(case, what, stored, progress)
        if reserved is None:
            return None
        if isinstance(reserved, Exhausted):
            return _exhausted(case, what, past)
        assert isinstance(found.data, LlmCalled)  # noqa: S101 - the caller looked
        called = found.data.model_copy(
            update={"call": reserved.call, "retry": len(past.tries), "latency_ms": 0.0}
        )
        try:
            await self._record(case, what, called, progress, f"{found.run_id}/{found.id}")
        finally:
            self._flying.discard((case.run_id, case.problem_id, reserved.call))
        return None

    async def _call(
        self,
        case: Case,
        what: Asked[AnswerT],
        past: Past,
        stored: list[StoredEvent],
        model: Model,
        progress: _Progress,
    ) -> NoAnswer | None:
        """A live try: take a turn, reserve, ask, store."""
        async with model.turns.turn() as turn:
            reserved = await self._reserve(case, what, stored, progress)
            if reserved is None:
                return None
            if isinstance(reserved, Exhausted):
                return _exhausted(case, what, past)
            call = reserved.call
            try:
                reply = await model.provider.ask(what.request, _call_id(case, what, past, call))
                cost = model.prices.cost(what.request.model, reply.usage).usd
                called = what.called(call, len(past.tries), self.ledger.clean(reply), cost)
                await self._record(case, what, called, progress)
            except BaseException as error:
                with suppress(Exception):
                    async with asyncio.timeout(_GIVE_UP_S):
                        said = f"{self.ledger.source} gave it up: {type(error).__name__}"
                        await self.ledger.lose(case, what, call, len(past.tries), said)
                raise
            finally:
                self._flying.discard((case.run_id, case.problem_id, call))
            await turn.settle(reply)
        if reply.outcome.passes:
            progress.wait_s = model.backoff.delay_s(len(past.tries) + 1, reply.retry_after_s)
            _log.warning("%s: call %d: %s: %s", case.problem_id, call, reply.outcome, called.error)
        return None

    async def _reserve(
        self,
        case: Case,
        what: Asked[AnswerT],
        stored: list[StoredEvent],
        progress: _Progress,
    ) -> Reserved | Exhausted | None:
        """A call, if no other was reserved since we looked for an answer; none: look again."""
        question, purse = what.question, self.ledger.purse(case, what.trigger)
        reserved = await purse.reserve_on(stored, question.agent, question.purpose)
        if isinstance(reserved, Outdated):
            progress.seen(reserved.last)
            return None
        if isinstance(reserved, Reserved):
            self._flying.add((case.run_id, case.problem_id, reserved.call))
        return reserved

    async def _record(
        self,
        case: Case,
        what: Asked[AnswerT],
        called: LlmCalled,
        progress: _Progress,
        recorded_from: str | None = None,
    ) -> None:
        """Store an exchange; where another process took the call for lost, wait for its answer."""
        stored = await self.ledger.write(case, what, called, recorded_from)
        progress.seen(stored.sequence)
        if isinstance(stored, Duplicate):
            _log.warning("%s: call %d was taken for lost", case.problem_id, called.call)
            progress.waiting_until = asyncio.get_running_loop().time() + self.patience_s


def _call_id(case: Case, what: Asked[AnswerT], past: Past, call: int) -> CallId:
    question = what.question
    return CallId(
        run_id=case.run_id,
        problem_id=case.problem_id,
        call=call,
        agent=question.agent,
        purpose=question.purpose,
        turn=past.turn,
    )


def _exhausted(case: Case, what: Asked[AnswerT], past: Past) -> NoAnswer:
    cap = cap_of(case)
    said = f"no call is left for the {what.question.agent}: all {cap} of the budget are taken"
    if past.last is not None:
        said = f"{said}; the last try: {past.last.value}"
    return NoAnswer(None, said)
