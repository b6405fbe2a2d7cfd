"""The one declared table of streams and consumers, and how it is compared with the server.

A client that declares a stream by its own defaults silently resets age, window and limits, and
changed settings of an existing durable are ignored without a word. So whatever differs from
this table is an error that names the field.
"""

from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from nats.js import JetStreamContext, api
from nats.js.errors import APIError, NotFoundError

from ragsolver_contracts import subjects
from ragsolver_runtime.drift import (
    Difference,
    compare_consumer,
    compare_stream,
    drifted,
    is_smaller,
)
from ragsolver_runtime.errors import ServerError
from ragsolver_runtime.worker import WorkerSpec

EVENTS = "RS_EVENTS"
INPUT = "RS_INPUT"
ADVISORIES = "RS_ADVISORIES"
RECORDED = "RS_RECORDED"
"""Recorded answers of runs that are replayed; made from traces, so old ones may go."""
BLOBS = "RS_BLOBS"
"""Object-store bucket of claim-checked payloads."""
BLOB_STREAM = f"OBJ_{BLOBS}"
BLOB_CHUNKS, BLOB_NAMES = f"$O.{BLOBS}.C.>", f"$O.{BLOBS}.M.>"
"""Subjects of the object store: content, and what is known of it by name."""
BLOB_SUBJECTS = (BLOB_CHUNKS, BLOB_NAMES)
LIMITS = "KV_RS_LIMITS"
"""Key-value bucket of what all workers share about a model's limits."""
LIMITS_PREFIX = "$KV.RS_LIMITS."

INTAKE_DURABLE = "intake"
ADVISORY_DURABLE = "advisories"
RESTART_ALLOWANCE = 5
"""Deliveries beyond a worker's own limit that restarts may use up before the server gives up."""

_NEWCOMERS = "-new"
_MAX_DELIVERIES = f"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{EVENTS}.>"
_MIB = 1024**2
_INSUFFICIENT_STORAGE = 10047


@dataclass(frozen=True)
class StreamSettings:
    """Sizes in bytes, times in seconds; the same on every process of one bus."""

    replicas: int = 1
    """1 on the embedded server, 3 in a cluster."""
    events_max_bytes: int = 2048 * _MIB
    blobs_max_bytes: int = 1024 * _MIB
    input_max_bytes: int = 256 * _MIB
    advisories_max_bytes: int = 16 * _MIB
    limits_max_bytes: int = 16 * _MIB
    recorded_max_bytes: int = 512 * _MIB
    recorded_max_age_s: float = 14 * 24 * 3600.0
    """A replay that takes longer asks again what is gone."""
    duplicate_window_s: float = 120.0
    """Window of the server's own deduplication; ours on the subject has none."""


def stream_table(settings: StreamSettings) -> tuple[api.StreamConfig, ...]:
    """Every stream. Full ones refuse new messages: nothing recorded is ever dropped."""
    shared: dict[str, Any] = {
        "retention": api.RetentionPolicy.LIMITS,
        "storage": api.StorageType.FILE,
        "num_replicas": settings.replicas,
        "max_age": 0,
        "duplicate_window": settings.duplicate_window_s,
    }
    return (
        api.StreamConfig(
            name=EVENTS,
            subjects=[subjects.EVENTS_ALL],
            max_bytes=settings.events_max_bytes,
            discard=api.DiscardPolicy.NEW,
            allow_direct=True,
            **shared,
        ),
        api.StreamConfig(
            name=INPUT,
            subjects=[subjects.SUBMIT],
            max_bytes=settings.input_max_bytes,
            discard=api.DiscardPolicy.NEW,
            # The requester waits for the intake's answer, not for the stream's.
            no_ack=True,
            **shared,
        ),
        api.StreamConfig(
            name=ADVISORIES,
            subjects=[_MAX_DELIVERIES],
            max_bytes=settings.advisories_max_bytes,
            discard=api.DiscardPolicy.OLD,
            **shared,
        ),
        _recorded(settings, shared),
        _limits(settings, shared),
        api.StreamConfig(
            name=BLOB_STREAM,
            subjects=list(BLOB_SUBJECTS),
            max_bytes=settings.blobs_max_bytes,
            discard=api.DiscardPolicy.NEW,
            allow_direct=True,
            **shared,
        ),
    )


def _recorded(settings: StreamSettings, shared: dict[str, Any]) -> api.StreamConfig:
    """Recorded answers: the latest of each question, for a while."""
    return api.StreamConfig(
        name=RECORDED,
        subjects=[subjects.RECORDED_ALL],
        max_bytes=settings.recorded_max_bytes,
        max_msgs_per_subject=1,
        discard=api.DiscardPolicy.NEW,
        allow_direct=True,
        **(shared | {"max_age": settings.recorded_max_age_s}),
    )


def _limits(settings: StreamSettings, shared: dict[str, Any]) -> api.StreamConfig:
    """Keys that vanish by themselves: a message may have a time to live of its own."""
    return api.StreamConfig(
        name=LIMITS,
        subjects=[f"{LIMITS_PREFIX}>"],
        max_bytes=settings.limits_max_bytes,
        max_msgs_per_subject=1,
        discard=api.DiscardPolicy.NEW,
        allow_direct=True,
        allow_msg_ttl=True,
        **shared,
    )


def worker_consumer(spec: WorkerSpec) -> api.ConsumerConfig:
    """The durable that all replicas of a worker role share.

    Deliveries come in the order of the stream: first come, first served over all problems, so
    problems advance side by side and a late one waits behind the work that is queued already.
    """
    return api.ConsumerConfig(
        durable_name=spec.role,
        name=spec.role,
        deliver_policy=api.DeliverPolicy.ALL,
        ack_policy=api.AckPolicy.EXPLICIT,
        ack_wait=spec.ack_wait_s,
        max_deliver=spec.max_deliver + RESTART_ALLOWANCE,
        filter_subjects=[subjects.events_named(payload.NAME) for payload in spec.triggers],
        max_ack_pending=1000,
    )


def newcomers_durable(role: str) -> str:
    """Name of the second durable of a role that brings new problems into work."""
    return f"{role}{_NEWCOMERS}"


def role_of(durable: str) -> str:
    """The worker role that a durable of the event stream belongs to."""
    return durable.removesuffix(_NEWCOMERS)


def consumers_of(spec: WorkerSpec) -> tuple[api.ConsumerConfig, ...]:
    """Every durable of a role: the shared one, and one of new problems where it opens them.

    New problems stand in a queue of their own so that they can wait without holding up what is
    in work; the shared durable passes over them.
    """
    shared = worker_consumer(spec)
    if not spec.opens_problems:
        return (shared,)
    name = newcomers_durable(spec.role)
    first = [subjects.events_named(spec.triggers[0].NAME)]
    return (shared, replace(shared, name=name, durable_name=name, filter_subjects=first))


def input_consumer() -> api.ConsumerConfig:
    """The durable of the intake; an input is delivered until it is answered."""
    return _plain_consumer(INTAKE_DURABLE)


def advisory_consumer() -> api.ConsumerConfig:
    """The durable that turns the server's max-deliveries advisories into dead letters."""
    return _plain_consumer(ADVISORY_DURABLE)


def _plain_consumer(name: str) -> api.ConsumerConfig:
    return api.ConsumerConfig(
        durable_name=name,
        name=name,
        deliver_policy=api.DeliverPolicy.ALL,
        ack_policy=api.AckPolicy.EXPLICIT,
        ack_wait=30.0,
        max_deliver=-1,
        max_ack_pending=1000,
    )


async def provision(
    js: JetStreamContext,
    settings: StreamSettings | None = None,
    workers: Iterable[WorkerSpec] = (),
    *,
    grow: bool = False,
) -> None:
    """Create what is missing and compare what is there. Idempotent.

    Args:
        js: JetStream context.
        settings: sizes and replicas.
        workers: roles whose durable consumers are wanted.
        grow: whether streams that are smaller than declared are made larger.

    Raises:
        DriftError: something on the server differs from the declared table.
        ServerError: the server's storage cannot hold the declared streams.
    """
    differences: list[Difference] = []
    for stream in stream_table(settings or StreamSettings()):
        differences += await _ensure_stream(js, stream, grow=grow)
    consumers = [(EVENTS, durable) for spec in workers for durable in consumers_of(spec)]
    consumers += [(INPUT, input_consumer()), (ADVISORIES, advisory_consumer())]
    for stream_name, consumer in consumers:
        differences += await _ensure_consumer(js, stream_name, consumer)
    drifted(differences)


async def _ensure_stream(
    js: JetStreamContext, declared: api.StreamConfig, *, grow: bool
) -> list[Difference]:
    try:
        info = await js.stream_info(str(declared.name))
    except NotFoundError:
        info = await _stored(js.add_stream(declared), declared)
    found = compare_stream(declared, info)
    if grow and found and all(map(is_smaller, found)):
        found = compare_stream(declared, await _stored(js.update_stream(declared), declared))
    return found


async def _stored(making: Awaitable[api.StreamInfo], declared: api.StreamConfig) -> api.StreamInfo:
    try:
        return await making
    except APIError as error:
        if error.err_code == _INSUFFICIENT_STORAGE:
            raise ServerError(
                f"the server's storage cannot hold stream {declared.name} of "
                f"{declared.max_bytes} bytes: free disk space, or lower the stream sizes in the "
                "[bus] settings"
            ) from error
        raise


async def _ensure_consumer(
    js: JetStreamContext, stream: str, declared: api.ConsumerConfig
) -> list[Difference]:
    name = str(declared.durable_name)
    try:
        info = await js.consumer_info(stream, name)
    except NotFoundError:
        info = await js.add_consumer(stream, config=declared)
    return compare_consumer(stream, declared, info)
