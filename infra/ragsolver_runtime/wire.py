"""How an event is written to the stream and read back: claim check and validation.

An event whose payload is above the limit is stored without `data` and with `dataref`; reading
puts the payload back, so nobody else ever sees the difference.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ragsolver_contracts.events import AnyEvent, parse_event, subject_of
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_runtime.access.echoes import is_echo
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.errors import BlobError

CLAIM_CHECK_BYTES = 500_000
"""Events above this many bytes of JSON have their payload moved to the object store."""

CLOSES_HEADER = "Rs-Closes-Delivery"
"""Set on the last event that one delivery publishes: the delivery's work is complete."""


@dataclass(frozen=True)
class StoredEvent:
    """An event with its place in the stream."""

    sequence: int
    event: AnyEvent
    closes: bool = False
    """Whether it is the last event of the delivery that emitted it."""
    stored_at: datetime | None = None
    """When the server stored it."""


@dataclass(frozen=True)
class InvalidStored:
    """A stored message that is not a valid event; reported, never a crash."""

    sequence: int
    subject: str
    problems: tuple[tuple[str, str], ...]
    """JSON pointer and message of everything that is wrong."""


async def encode(event: AnyEvent, blobs: BlobStore, limit: int = CLAIM_CHECK_BYTES) -> bytes:
    """Bytes of an event for the stream; a large payload is put into the object store."""
    whole = event.model_copy(update={"dataref": None}).to_json()
    if len(whole) <= limit:
        return whole
    attributes: dict[str, Any] = json.loads(whole)
    payload = json.dumps(attributes.pop("data"), ensure_ascii=False).encode()
    attributes["dataref"] = await blobs.put(payload)
    return json.dumps(attributes, ensure_ascii=False).encode()


async def decode(raw: bytes, blobs: BlobStore) -> AnyEvent:
    """The event in a stream message, with its payload back in place.

    Raises:
        InvalidEventError: with the JSON pointers of what is wrong.
    """
    # Claim-checked messages are rare; looking for the word first saves a second JSON parse.
    if b'"dataref"' not in raw:
        return parse_event(raw)
    try:
        attributes = json.loads(raw)
    except ValueError as error:
        raise InvalidEventError([("", f"not JSON: {error}")]) from error
    if not isinstance(attributes, dict) or "data" in attributes:
        return parse_event(raw)
    try:
        payload = await blobs.get(str(attributes.pop("dataref", "")))
        return parse_event(attributes | {"data": json.loads(payload)})
    except (BlobError, ValueError) as error:
        if isinstance(error, InvalidEventError):
            raise
        raise InvalidEventError([("/dataref", str(error))]) from error


def in_place(event: AnyEvent, headers: Mapping[str, str]) -> None:
    """Refuse an event that stands where its writer may write, and is not his to say.

    On a bus with users the server lets a role publish on the subjects of its own events only.
    That is worth something because an event counts only on its own subject, put there by a
    client.

    Args:
        event: as read.
        headers: of the direct get that read it.

    Raises:
        InvalidEventError: it stands elsewhere, or is an echo.
    """
    where = headers.get("Nats-Subject", "")
    if where and where != subject_of(event):
        raise InvalidEventError([("/type", f"{event.name} is no event of subject {where}")])
    if is_echo(headers):
        raise InvalidEventError([("", "put here by the answer to a read, by no publisher")])
