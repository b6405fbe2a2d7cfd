"""The one consume path: decode, fold, decide, publish, acknowledge.

Settling a delivery, in all cases:

- nothing left to do (problem ended, work is stored, a new problem outside of its queue): ack;
- decided and all events stored: ack;
- invalid message, `PermanentError`, or an error on the last delivery: `work_failed`, then term;
- any other error: nak with a delay that grows;
- shutting down: nak, so that a replica takes over at once.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent, make_event, subject_of
from ragsolver_contracts.events_run import ProblemCancelled
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_contracts.subjects import event_name
from ragsolver_runtime import dead_letter
from ragsolver_runtime.about import Decided, payload_of
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.delivery import Delivery, heartbeat
from ragsolver_runtime.errors import BusLostError, NoRecordedAnswerError, PermanentError
from ragsolver_runtime.kinship import ended_ancestor, ends, needless, told_above, used_calls
from ragsolver_runtime.logs import event_scope
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.recorded import BY_REPLAY, Recalled, Said, merged
from ragsolver_runtime.settle import ConsumeSettings, Settling
from ragsolver_runtime.tasks import end
from ragsolver_runtime.telemetry.watching import Handled, Telemetry
from ragsolver_runtime.valve import Room
from ragsolver_runtime.wire import StoredEvent, decode
from ragsolver_runtime.worker import Decide, WorkerContext, WorkerSpec

_log = logging.getLogger(__name__)

_DECIDE_GRACE_S = 5.0
"""After a cancel notice a worker may finish by itself; then its `decide` is cancelled."""

_CLEAN_UP_S = 15.0
"""What a cancelled `decide` gets to close its resources before it is cancelled again."""


class Stopping(Exception):  # noqa: N818 - a signal, not an error
    """The process is going down; the delivery belongs to somebody else now."""


class Consumer:
    """Works off deliveries of one worker role in this process."""

    def __init__(
        self,
        spec: WorkerSpec,
        context: WorkerContext,
        decide: Decide,
        *,
        publisher: Publisher,
        reader: EventReader,
        blobs: BlobStore,
        on_lost: Callable[[], None],
        settings: ConsumeSettings | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        self._spec = spec
        self._context = context
        self._decide = decide
        self._publisher = publisher
        self._reader = reader
        self._blobs = blobs
        self._on_lost = on_lost
        self._telemetry = telemetry or Telemetry()
        self._settling = Settling(
            spec.role,
            context.source,
            spec.max_deliver,
            publisher,
            on_lost,
            settings or ConsumeSettings(),
        )
        self._draining = False
        self._stopping = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()
        self.room = Room(spec.concurrency)

    async def handle(self, delivery: Delivery, *, newcomer: bool = False) -> None:
        """Work off one delivery and settle it; never raises for what a message can cause.

        Args:
            delivery: the message.
            newcomer: whether it comes from the queue of new problems.
        """
        if self._draining:
            await self._settling.hand_back(delivery)
            return
        handling = self._counted(delivery, newcomer=newcomer)
        task = asyncio.create_task(handling, name=f"delivery {delivery.sequence}")
        self._running.add(task)
        try:
            with self.room.taken():
                await asyncio.shield(task)
        finally:
            self._running.discard(task)

    async def stop(self, grace_s: float) -> None:
        """Take nothing new; give running work `grace_s` seconds, then hand it back."""
        self._draining = True
        running = list(self._running)
        if running:
            await asyncio.wait(running, timeout=grace_s)
        self._stopping.set()
        if running:
            await asyncio.wait(running, timeout=_DECIDE_GRACE_S)

    async def _counted(self, delivery: Delivery, *, newcomer: bool) -> None:
        numbers, begun, outcome = self._telemetry.numbers, time.monotonic(), Handled.LOST
        numbers.begun()
        try:
            outcome = await self._handle(delivery, newcomer=newcomer)
        finally:
            trigger = event_name(delivery.subject)
            numbers.handled(trigger, outcome, time.monotonic() - begun)

    async def _handle(self, delivery: Delivery, *, newcomer: bool) -> Handled:
        try:
            event = await decode(delivery.body, self._blobs)
        except InvalidEventError as error:
            buried = await self._settling.bury(delivery, None, "decode", error)
            return Handled.REFUSED if buried is Handled.DEAD_LETTERED else buried
        except (TimeoutError, OSError) as error:
            return await self._settling.again(delivery, None, "decode", error)
        if delivery.subject != subject_of(event):
            _log.error("%s on %s counts for nothing there", event.name, delivery.subject)
            await delivery.term()
            return Handled.REFUSED
        if not self._spec.wants(event) or self._spec.opens(event) is not newcomer:
            await delivery.ack()
            return Handled.UNWANTED
        with (
            self._telemetry.spans.processing(self._spec.role, event, delivery.number) as settled,
            event_scope(event, delivery.number),
        ):
            handled = await self._work(delivery, event)
            settled(handled)
            return handled

    async def _work(self, delivery: Delivery, event: AnyEvent) -> Handled:
        stage, handled = "load", Handled.ACKNOWLEDGED
        try:
            async with heartbeat(delivery, self._spec.ack_wait_s / 3):
                case = await self._load(delivery, event)
                if isinstance(case, Handled):
                    handled = case
                else:
                    stage = "handle"
                    said = await self._said(case, event)
                    if ends(case, said):
                        used = await used_calls(self._context.llm, case, event)
                        said = told_above(case, said, used)
                    stage = "publish"
                    await self._publish(said, event)
        except Stopping:
            return await self._settling.hand_back(delivery)
        except BusLostError:
            _log.exception("the bus is gone; this process ends")
            self._on_lost()
            return Handled.LOST
        except PermanentError as error:
            return await self._settling.bury(delivery, event, stage, error)
        except Exception as error:  # noqa: BLE001 - whatever a worker raises ends in nak or burial
            return await self._settling.again(delivery, event, stage, error)
        await delivery.ack()
        return handled

    async def _load(self, delivery: Delivery, event: AnyEvent) -> Case | Handled:
        """The fold, or why this delivery has nothing left to do."""
        stored = await self._reader.stored_of_problem(
            event.run_id, event.problem_id, at_least=delivery.sequence
        )
        valid = [item for item in stored if isinstance(item, StoredEvent)]
        if all(item.event.id != event.id for item in valid):
            return Handled.REFUSED  # it stands where it may not: the reader has said so
        if any(
            item.closes
            and item.event.causationid == event.id
            and item.event.role == self._spec.role
            for item in valid
        ):
            _log.debug("%s was worked off before", event.name)
            return Handled.REPEATED
        config = await self._reader.run_config(event.run_id)
        case = Case.fold(event.run_id, event.problem_id, (item.event for item in valid), config)
        self._telemetry.numbers.folded(len(valid))
        return Handled.ENDED if case.outcome is not None else case

    async def _said(self, case: Case, event: AnyEvent) -> Sequence[Said]:
        """What a replay recalls of this trigger, and what is decided now."""
        over = await ended_ancestor(self._reader, case)
        if over is not None:
            return [Said(over)]
        recorded = await self._context.recorded(case.run_id, case.problem_id)
        known = Recalled()
        if recorded is not None and self._spec.recall is not None:
            known = await self._spec.recall(case, event, recorded)
            self._checked([item.payload for item in known.said])
        if known.complete:
            return known.said
        if known.said:
            events = [self._event(item, event) for item in known.said]
            before = case.events.values()
            case = Case.fold(case.run_id, case.problem_id, [*before, *events], case.config)
        try:
            with self._telemetry.spans.deciding(self._spec.role, event):
                decided = await self._decided(case, event)
            if not decided:
                over = await ended_ancestor(self._reader, case)
                return [] if over is None else [Said(over)]
            return merged(known.said, decided)
        except NoRecordedAnswerError as error:
            _log.warning("%s ends here: %s", event.entity, error)
            return [Said(ProblemCancelled(requested_by=BY_REPLAY, reason=str(error)))]

    async def _decided(self, case: Case, event: AnyEvent) -> Decided:
        """Run `decide` until it answers, its time is up, its problem ends, or we shut down."""
        decide = asyncio.ensure_future(self._decide(case, event))
        cancelled = asyncio.ensure_future(needless(self._context.cancelled, case))
        stopping = asyncio.ensure_future(self._stopping.wait())
        waiting = {decide, cancelled, stopping}
        try:
            await asyncio.wait(
                waiting, timeout=self._spec.max_work_s, return_when=asyncio.FIRST_COMPLETED
            )
            if not decide.done() and cancelled.done():
                await asyncio.wait({decide}, timeout=_DECIDE_GRACE_S)
            if decide.done():
                return self._checked(decide.result())
            if cancelled.done():
                _log.info("work on %s stopped: the problem ended", event.name)
                return ()
            if stopping.done():
                raise Stopping
            raise TimeoutError(f"no decision on {event.name} in {self._spec.max_work_s:.0f} s")
        finally:
            await end(*waiting, again_s=_CLEAN_UP_S)

    def _checked(self, decided: Decided) -> Decided:
        for payload in map(payload_of, decided):
            if type(payload) not in self._spec.emits and not dead_letter.is_one(payload):
                raise PermanentError(
                    f"worker {self._spec.role} may not emit {payload.NAME}: not in its `emits`"
                )
        return decided

    async def _publish(self, said: Sequence[Said], cause: AnyEvent) -> None:
        for place, item in enumerate(said, start=1):
            await self._publisher.publish(self._event(item, cause), closes=place == len(said))

    def _event(self, said: Said, cause: AnyEvent) -> AnyEvent:
        return make_event(
            said.payload,
            run_id=cause.run_id,
            problem_id=said.problem_id or cause.problem_id,
            source=self._context.source,
            time=datetime.now(UTC),
            cause=cause,
            recorded_from=said.recorded_from,
        )
