"""The server's max-deliveries advisories become dead letters.

A worker that is killed on its last delivery cannot record its own failure. The server notices,
and says so in an advisory; a stream keeps it until it is worked off here.
"""

import asyncio
import json
import logging

from nats import errors as nats_errors
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from ragsolver_contracts.events import AnyEvent, parse_event
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_runtime import dead_letter
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.streams import ADVISORIES, ADVISORY_DURABLE, EVENTS, role_of

_log = logging.getLogger(__name__)

_PULL_S = 5.0
_RETRY_S = 2.0


class DeliveriesExhaustedError(Exception):
    """The server delivered a message as often as it may, and nobody settled it."""


async def bury_exhausted(js: JetStreamContext, publisher: Publisher, source: str) -> None:
    """Turn advisories into `work_failed` for ever, one at a time.

    Args:
        js: JetStream context.
        publisher: stores the dead letters.
        source: CloudEvents source of them.
    """
    subscription = await js.pull_subscribe_bind(durable=ADVISORY_DURABLE, stream=ADVISORIES)
    while True:
        try:
            messages = await subscription.fetch(batch=1, timeout=_PULL_S)
        except (nats_errors.Error, TimeoutError):
            await asyncio.sleep(0.05)
            continue
        for message in messages:
            await _bury_one(js, publisher, source, message)


async def _bury_one(js: JetStreamContext, publisher: Publisher, source: str, message: Msg) -> None:
    try:
        letter = await letter_of(js, message.data, source)
        if letter is not None:
            await publisher.publish(letter)
        await message.ack()
    except (BusError, nats_errors.Error, TimeoutError, OSError):
        _log.exception("an advisory could not be recorded now; it is tried again")
        try:
            await message.nak(delay=_RETRY_S)
        except (nats_errors.Error, OSError):
            _log.warning("the advisory stays captured and is delivered again")


async def letter_of(js: JetStreamContext, advisory: bytes, source: str) -> AnyEvent | None:
    """The dead letter of one advisory; none when it does not concern a stored event."""
    try:
        said = json.loads(advisory)
        stream, role = str(said["stream"]), role_of(str(said["consumer"]))
        sequence, deliveries = int(said["stream_seq"]), int(said["deliveries"])
    except (ValueError, KeyError, TypeError):
        _log.error("not a max-deliveries advisory: %r", advisory[:200])
        return None
    if stream != EVENTS:
        return None
    try:
        stored = await js.get_msg(EVENTS, seq=sequence, direct=True)
    except NotFoundError:
        _log.error("advisory on message %d, which is not in the stream", sequence)
        return None
    body = stored.data or b""
    event: AnyEvent | None
    try:
        event = parse_event(body)
    except InvalidEventError:
        event = None  # also a claim-checked one: its attributes are enough for the letter
    return dead_letter.letter(
        role=role,
        source=source,
        subject=stored.subject or "",
        body=body,
        event=event,
        stage="deliver",
        error=DeliveriesExhaustedError(
            f"delivered {deliveries} times to {role} and never settled: its process died or hung "
            "each time"
        ),
        deliveries=max(deliveries, 1),
    )
