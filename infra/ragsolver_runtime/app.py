"""One worker process: FastStream carries the deliveries, this module holds it together.

FastStream is used with guards: the stream is never declared by it, every message is settled by
hand, one message is pulled at a time per lane (prefetched ones would time out unworked), and a
watchdog ends the process when its consumer or its connection is gone, so that whoever
supervises it starts it again.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any

from faststream import AckPolicy
from faststream.nats import JStream, NatsMessage, PullSub
from faststream.nats.subscriber.usecases import PullStreamSubscriber
from nats import errors as nats_errors
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from ragsolver_runtime.access.table import worker_access
from ragsolver_runtime.access.vital import ends_when_refused, say_refused
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.broker import BusBroker
from ragsolver_runtime.consume import Consumer
from ragsolver_runtime.delivery import BusDelivery
from ragsolver_runtime.llm.calling import open_caller, secrets_of
from ragsolver_runtime.llm.ledger import Ledger
from ragsolver_runtime.notices import CancelNotices
from ragsolver_runtime.process import (
    EXIT_BUS_LOST,
    EXIT_OK,
    AppSettings,
    first_of,
    instance_name,
    stop_on_signals,
)
from ragsolver_runtime.provisioning import make_ready
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.replay.recording import RecordedSource
from ragsolver_runtime.requests import Services
from ragsolver_runtime.streams import EVENTS, consumers_of
from ragsolver_runtime.tasks import end
from ragsolver_runtime.telemetry.opening import open_telemetry
from ragsolver_runtime.telemetry.watching import Telemetry, ready
from ragsolver_runtime.valve import Valve, take_newcomers
from ragsolver_runtime.worker import WorkerContext, WorkerSpec

_log = logging.getLogger(__name__)

_REPLIES_S = 1.0
"""What requests of others get to finish at the end; then they are told to ask again."""


async def run_worker(
    spec: WorkerSpec,
    settings: AppSettings,
    worker_settings: Mapping[str, Any] | None = None,
    *,
    stop: asyncio.Event | None = None,
    on_ready: Callable[[], None] | None = None,
    signals: bool = True,
) -> int:
    """Run one worker until it is told to stop; returns the process's exit code.

    Args:
        spec: the worker.
        settings: bus and process.
        worker_settings: the role's own table of settings.
        stop: set to end it; SIGTERM and SIGINT set it too.
        on_ready: called once deliveries are being taken.
        signals: whether to listen to SIGTERM and SIGINT; False inside another program.

    Returns:
        0 after a clean stop, `EXIT_BUS_LOST` when connection or consumer are gone for good.

    Raises:
        DriftError: the bus differs from the declared table.
        BusLostError: nothing answers at the bus's URL.
        RefusedError: the bus refuses what this role needs.
    """
    stop = stop or asyncio.Event()
    if signals:
        stop_on_signals(stop)
    lost, provider = asyncio.Event(), str(settings.model.get("provider", ""))
    async with (
        open_telemetry(settings.telemetry, spec.role, os.environ, provider) as told,
        _opened(spec, settings, worker_settings or {}, lost, told) as (consumer, client, lanes),
    ):
        ready(told, spec.role, on_ready)
        watching = _watch(client.jetstream(timeout=3), spec, settings.watchdog_s, lost, told)
        watchdog = asyncio.create_task(watching, name="watchdog")
        await first_of(stop, lost)
        told.health.taking = False
        await end(watchdog)
        # Closing the connection below sets `lost` as well; what counts is why we stopped.
        is_lost = lost.is_set()
        for lane in lanes:
            lane.running = False  # an idle lane would use up deliveries that nobody works on
        await consumer.stop(0.0 if is_lost else settings.drain_s)
    if is_lost:
        say_refused(client, worker_access(spec))
        _log.error("worker %s lost its bus", spec.role)
    return EXIT_BUS_LOST if is_lost else EXIT_OK


def _broker(
    spec: WorkerSpec, settings: AppSettings, name: str, lost: asyncio.Event, told: Telemetry
) -> BusBroker:
    return BusBroker(
        settings.bus,
        name,
        drain_s=settings.drain_s,
        on_closed=lost.set,
        on_refused=ends_when_refused(worker_access(spec), lost),
        numbers=told.numbers,
    )


@asynccontextmanager
async def _opened(
    spec: WorkerSpec,
    settings: AppSettings,
    worker_settings: Mapping[str, Any],
    lost: asyncio.Event,
    told: Telemetry,
) -> AsyncIterator[tuple[Consumer, Client, list[PullStreamSubscriber]]]:
    name = instance_name()
    broker = _broker(spec, settings, f"{spec.role}/{name}", lost, told)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(_close, broker)
        client = await _connected(broker, told)
        js = client.jetstream(timeout=5)
        await make_ready(client, settings, [spec])
        notices = await stack.enter_async_context(CancelNotices(client))
        services, reader = Services(client, drain_s=_REPLIES_S), EventReader(client)
        publisher = Publisher(client, settings.publish, told)
        recorded = RecordedSource(js, reader).of
        ledger = Ledger(publisher, reader, f"{spec.role}/{name}", secrets_of(os.environ))
        calling = open_caller(ledger, recorded, settings.model, os.environ, client)
        context = WorkerContext(
            role=spec.role,
            instance=name,
            settings=worker_settings,
            cancelled=notices.cancelled,
            serve=services.serve,
            recorded=recorded,
            llm=await stack.enter_async_context(calling),
        )
        decide = await stack.enter_async_context(spec.open(context))
        consumer = Consumer(
            spec,
            context,
            decide,
            publisher=publisher,
            reader=reader,
            blobs=BlobStore(js),
            on_lost=lost.set,
            settings=settings.consume,
            telemetry=told,
        )
        lanes = _subscribe(broker, spec, consumer, settings.pull_timeout_s)
        await broker.start()
        openers = _open_lanes(js, spec, consumer, settings)
        yield consumer, client, lanes
        await end(*openers)
        # Stop pulling and answering before the worker's resources close.
        await services.stop()
        await _close(broker)


async def _connected(broker: BusBroker, told: Telemetry) -> Client:
    await broker.connect()
    client = broker.connection
    told.health.connected = lambda: client.is_connected
    return client


def _subscribe(
    broker: BusBroker, spec: WorkerSpec, consumer: Consumer, pull_timeout_s: float
) -> list[PullStreamSubscriber]:
    """One lane per unit of concurrency: each pulls one message and settles it before the next."""

    async def _on_message(delivery: BusDelivery) -> None:
        await consumer.handle(delivery)

    lanes = []
    # A pull subscriber ignores the connection's own prefix, and would wait where it may not.
    inbox = f"{broker.bus.inbox_prefix}.".encode()
    for _ in range(spec.concurrency):
        subscriber = broker.subscriber(
            f"{EVENTS}.{spec.role}",  # a label: the durable on the server holds the filters
            stream=JStream(EVENTS, declare=False),
            durable=spec.role,
            pull_sub=PullSub(batch_size=1, timeout=pull_timeout_s),
            ack_policy=AckPolicy.MANUAL,
            decoder=_as_delivery,
            no_reply=True,
            inbox_prefix=inbox,
        )
        subscriber(_on_message)
        lanes.append(subscriber)
    return lanes


def _open_lanes(
    js: JetStreamContext, spec: WorkerSpec, consumer: Consumer, settings: AppSettings
) -> list[asyncio.Task[None]]:
    """Lanes of new problems, where the worker opens problems; after a stop they hand back."""
    if not spec.opens_problems:
        return []
    valve = Valve(js, spec.role, settings.valve)
    handle = partial(consumer.handle, newcomer=True)
    pull_s = settings.pull_timeout_s
    return [
        asyncio.create_task(
            take_newcomers(js, spec.role, valve, consumer.room, handle, pull_s), name="newcomers"
        )
        for _ in range(spec.concurrency)
    ]


async def _as_delivery(message: NatsMessage) -> BusDelivery:
    """The consume path decodes and validates by itself, and settles the message."""
    return BusDelivery(message)


async def _close(broker: BusBroker) -> None:
    with suppress(nats_errors.Error, TimeoutError, OSError):
        await broker.stop()


async def _watch(
    js: JetStreamContext,
    spec: WorkerSpec,
    every_s: float,
    lost: asyncio.Event,
    told: Telemetry,
) -> None:
    """A deleted consumer is invisible to whoever pulls from it; look, and end the process."""
    while True:
        await asyncio.sleep(every_s)
        for durable in consumers_of(spec):
            try:
                info = await js.consumer_info(EVENTS, str(durable.name))
            except NotFoundError:
                _log.error("consumer %s of stream %s was deleted", durable.name, EVENTS)
                lost.set()
                return
            except (nats_errors.Error, TimeoutError, OSError) as error:
                told.health.answers = False
                _log.debug("watchdog: the bus does not answer now: %r", error)
            else:
                told.health.answers = True
                told.numbers.lag(info.name, info.num_pending or 0, info.num_ack_pending or 0)
