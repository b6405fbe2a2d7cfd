"""The intake: inputs on `rs.submit` become problems or refusals, and every poster is answered.

The stream RS_INPUT captures every input before anyone looks at it, so none is lost; the durable
consumer works them off. JetStream hides the poster's reply address from consumers, so a core
queue subscription learns it, and waits for the decision, which the consumer makes known on a
core subject: any replica may decide, any may answer.
"""

import asyncio
import logging
import time
from collections import defaultdict, deque
from collections.abc import Callable
from datetime import UTC, datetime

from nats import errors as nats_errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from ragsolver_contracts import subjects
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_run import ProblemRefused, ProblemSubmitted, RunStarted
from ragsolver_contracts.ids import RUN_SCOPE, digest, refused_input_id
from ragsolver_contracts.problem import RefusalReason, SubmitReply
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.access.echoes import is_delivered_echo
from ragsolver_runtime.admission import INBOX, Admitted, RawInput, Refusal, admit
from ragsolver_runtime.advisories import bury_exhausted
from ragsolver_runtime.connect import settle
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.publish import Duplicate, Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.streams import INPUT, INTAKE_DURABLE
from ragsolver_runtime.telemetry.watching import INPUT_TRIGGER, Handled, Telemetry
from ragsolver_runtime.wire import StoredEvent

_log = logging.getLogger(__name__)

ROLE = "intake"
RUN_HEADER = "Rs-Run"
"""Optional header of a submission: the run of an input that names none or cannot be read."""
LINE_HEADER = "Rs-Line"
"""Optional header of a submission: its 1-based line in the poster's file."""

_EARLY_ANSWERS_S = 5.0
_PULL_S = 2.0
_RETRY_S = 1.0
_LONGEST_RETRY_S = 300.0


class Intake:
    """Decides inputs and stores what was decided. Idempotent: the same input, the same answer."""

    def __init__(
        self,
        publisher: Publisher,
        reader: EventReader,
        instance: str,
        inbox_config: RunConfig | None = None,
    ) -> None:
        self._publisher = publisher
        self._reader = reader
        self._source = f"{ROLE}/{instance}"
        self._inbox_config = inbox_config or RunConfig()

    async def decide(self, raw: RawInput) -> SubmitReply:
        """Admit or refuse one input; what was decided is stored before this returns."""
        decision = admit(raw)
        if not await self._known(decision.run_id):
            message = (
                f"run {decision.run_id!r} was not started on this bus: start it, or name none"
            )
            name = decision.problem.name if isinstance(decision, Admitted) else decision.name
            unknown = RefusalReason.UNKNOWN_RUN
            await self._known(INBOX)
            decision = Refusal(INBOX, unknown, message, name, "/run_id", raw.line)
        if isinstance(decision, Refusal):
            return await self._refuse(raw, decision)
        return await self._accept(raw, decision)

    async def _accept(self, raw: RawInput, admitted: Admitted) -> SubmitReply:
        run_id, problem = admitted.run_id, admitted.problem
        event = self._say(ProblemSubmitted(problem=problem), run_id, problem.problem_id)
        stored = await self._publisher.publish(event)
        again = isinstance(stored, Duplicate)
        if again:
            first = await self._first_of(run_id, problem.problem_id, stored.sequence)
            if first is not None and first.problem.input_digest != raw.key:
                message = (
                    f"run {run_id!r} has another problem named {problem.name!r} already: "
                    "rename this one"
                )
                line = problem.source.line
                return await self._refuse(
                    raw,
                    Refusal(run_id, RefusalReason.DUPLICATE, message, problem.name, "/name", line),
                )
        return SubmitReply(
            status="accepted", run_id=run_id, problem_id=problem.problem_id, duplicate=again
        )

    async def _refuse(self, raw: RawInput, refusal: Refusal) -> SubmitReply:
        problem_id = refused_input_id(raw.key)
        payload = ProblemRefused(
            name=refusal.name,
            reason=refusal.reason,
            message=refusal.message,
            pointer=refusal.pointer,
            line=refusal.line,
            input_digest=raw.key,
        )
        result = await self._publisher.publish(self._say(payload, refusal.run_id, problem_id))
        return SubmitReply(
            status="refused",
            run_id=refusal.run_id,
            problem_id=problem_id,
            duplicate=isinstance(result, Duplicate),
            reason=refusal.reason,
            message=refusal.message,
            pointer=refusal.pointer,
        )

    async def _first_of(
        self, run_id: str, problem_id: str, sequence: int
    ) -> ProblemSubmitted | None:
        every = await self._reader.stored_of_problem(run_id, problem_id, at_least=sequence)
        for stored in every:
            if isinstance(stored, StoredEvent) and isinstance(stored.event.data, ProblemSubmitted):
                return stored.event.data
        return None

    async def _known(self, run_id: str) -> bool:
        """Whether the run was started; the standing run is started on first use."""
        if await self._reader.run_started(run_id) is not None:
            return True
        if run_id != INBOX:
            return False
        config = self._inbox_config
        started = RunStarted(config=config, config_digest=digest(config.model_dump_json()))
        await self._publisher.publish(self._say(started, INBOX, RUN_SCOPE))
        return True

    def _say(self, payload: Payload, run_id: str, problem_id: str) -> AnyEvent:
        return make_event(
            payload,
            run_id=run_id,
            problem_id=problem_id,
            source=self._source,
            time=datetime.now(UTC),
        )


class Answers:
    """Brings decisions to those who asked: reply addresses by input, first come first served."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._asking: defaultdict[str, deque[str]] = defaultdict(deque)
        self._early: defaultdict[str, deque[tuple[float, bytes]]] = defaultdict(deque)

    async def listen(self) -> None:
        """Learn reply addresses (one replica each) and hear every decision."""
        await self._client.subscribe(subjects.SUBMIT_ANSWERS, cb=self.decided)
        await self._client.subscribe(subjects.SUBMIT, queue=ROLE, cb=self.asked)
        await settle(self._client)  # from here on no poster is missed

    async def asked(self, message: Msg) -> None:
        """Somebody posted an input and waits."""
        if not message.reply:
            return
        subject = subjects.submit_answer(raw_input(message).key)
        now = asyncio.get_running_loop().time()
        early = self._early.pop(subject, deque())
        while early:
            heard_at, answer = early.popleft()
            if now - heard_at < _EARLY_ANSWERS_S:
                await self._client.publish(message.reply, answer)
                return
        self._asking[subject].append(message.reply)

    async def decided(self, message: Msg) -> None:
        """An input was decided, here or by another replica."""
        now = asyncio.get_running_loop().time()
        waiting = self._asking.get(message.subject)
        if waiting:
            await self._client.publish(waiting.popleft(), message.data)
            if not waiting:
                del self._asking[message.subject]
            return
        for subject, heard in list(self._early.items()):
            if now - heard[-1][0] > _EARLY_ANSWERS_S:
                del self._early[subject]
        self._early[message.subject].append((now, message.data))


def raw_input(message: Msg) -> RawInput:
    """The posted bytes with what the headers say about them."""
    headers = message.headers or {}
    line = headers.get(LINE_HEADER, "")
    number = int(line) if line.isascii() and line.isdigit() else None
    return RawInput(message.data, headers.get(RUN_HEADER) or None, number or None)


async def work_off_inputs(
    client: Client, js: JetStreamContext, intake: Intake, told: Telemetry
) -> None:
    """Decide captured inputs for ever, one at a time.

    Raises:
        BusError: the consumer is gone.
    """
    subscription = await js.pull_subscribe_bind(durable=INTAKE_DURABLE, stream=INPUT)
    while True:
        try:
            messages = await subscription.fetch(batch=1, timeout=_PULL_S)
        except (nats_errors.Error, TimeoutError) as error:
            await _check_consumer(js, error)
            continue
        for message in messages:
            begun, outcome = time.monotonic(), Handled.LOST
            told.numbers.begun()
            try:
                with told.spans.taking(message.headers or {}):
                    outcome = await _decide_one(client, intake, message)
            finally:
                told.numbers.handled(INPUT_TRIGGER, outcome, time.monotonic() - begun)


async def _decide_one(client: Client, intake: Intake, message: Msg) -> Handled:
    raw = raw_input(message)
    if is_delivered_echo(message.headers):
        _log.error("an input that nobody posted: the server's answer to a read; it is dropped")
        await message.term()
        return Handled.REFUSED
    try:
        reply = await intake.decide(raw)
        answer = reply.model_dump_json(exclude_none=True).encode()
        await client.publish(subjects.submit_answer(raw.key), answer)
        await message.ack()
    except Exception:  # noqa: BLE001 - one input that we cannot handle must not stop the others
        _log.exception("an input could not be decided now; it is tried again")
        tries = message.metadata.num_delivered or 1
        try:
            await message.nak(delay=min(_RETRY_S * 2.0 ** (tries - 1), _LONGEST_RETRY_S))
        except (nats_errors.Error, OSError):
            _log.warning("the input stays captured and is delivered again")
        return Handled.REDELIVERED
    return Handled.ACKNOWLEDGED if reply.status == "accepted" else Handled.REFUSED


async def _check_consumer(js: JetStreamContext, error: Exception) -> None:
    """A timeout is an idle bus, or a consumer that was deleted: look which."""
    try:
        await js.consumer_info(INPUT, INTAKE_DURABLE)
    except NotFoundError as gone:
        raise BusError(f"consumer {INTAKE_DURABLE} of stream {INPUT} was deleted") from gone
    except (nats_errors.Error, TimeoutError, OSError):
        _log.debug("the bus does not answer now: %r", error)
        await asyncio.sleep(0.2)


async def serve_intake(
    client: Client,
    instance: str,
    *,
    inbox_config: RunConfig | None = None,
    on_ready: Callable[[], None] | None = None,
    telemetry: Telemetry | None = None,
) -> None:
    """Serve inputs and dead-letter advisories on one connection, until cancelled.

    Args:
        client: a connection; streams must be provisioned.
        instance: this process among the intakes.
        inbox_config: configuration of the standing run.
        on_ready: called once inputs are taken.
        telemetry: told what is done.
    """
    js, told = client.jetstream(timeout=5), telemetry or Telemetry()
    publisher, reader = Publisher(client, telemetry=told), EventReader(client)
    intake = Intake(publisher, reader, instance, inbox_config)
    await Answers(client).listen()
    if on_ready is not None:
        on_ready()
    async with asyncio.TaskGroup() as group:
        group.create_task(work_off_inputs(client, js, intake, told), name="inputs")
        group.create_task(bury_exhausted(js, publisher, f"{ROLE}/{instance}"), name="advisories")
