"""Cost of our path over the bus against plain nats-py JetStream pull, in the same run.

    python tests/bench/bench_bus.py [--json] [--quick]

One hop: an event is published, a worker takes it, decides one event and publishes that.
*plain* is nats-py alone, *faststream* its pull subscriber alone, *ours* the whole consume path:
validation both ways, fold, deduplication for ever, mark of completion; *counted* is that with
numbers for Prometheus, *traced* with spans as well; *CPU* is this process's, sender and worker
together, and the figure to trust on a machine with other work. Machine times differ;
only the ratios mean something. *fold* reads one problem among many events.
"""

import argparse
import asyncio
import json
import logging
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker, NatsMessage, PullSub
from nats.aio.client import Client
from nats.js import JetStreamContext, api

from ragsolver_contracts import subjects
from ragsolver_contracts.events import AnyEvent, subject_of
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.testing import problem
from ragsolver_runtime.connect import connect, settle
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.streams import EVENTS, provision
from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.testing import (
    app_settings,
    isolated_server,
    running_worker,
    said,
    scripted_worker,
    start_run,
)

Send = Callable[[str], Awaitable[None]]
"""Starts one hop for a problem name."""

STATEMENT = "Show that " + "x" * 1500
PLAIN_STREAM = "PLAIN"


class Arrivals:
    """Counts what comes out, by a core subscription that costs every path the same."""

    def __init__(self) -> None:
        self.count = 0
        self._news = asyncio.Event()

    async def listen(self, client: Client, subject: str) -> None:
        """Count messages on `subject` from now on."""

        async def _arrived(_: object) -> None:
            self.count += 1
            self._news.set()

        await client.subscribe(subject, cb=_arrived)
        await settle(client)

    async def reach(self, count: int) -> None:
        """Wait until `count` messages have come."""
        while self.count < count:
            self._news.clear()
            if self.count < count:
                await asyncio.wait_for(self._news.wait(), 60)


async def measure(send: Send, arrivals: Arrivals, hops: int, burst: int) -> dict[str, float]:
    """Latency of single hops one after the other, then throughput of a burst."""
    for number in range(20):
        await send(f"warm{number}")
        await arrivals.reach(number + 1)
    times = []
    done = arrivals.count
    for number in range(hops):
        start = time.perf_counter()
        await send(f"hop{number}")
        await arrivals.reach(done + number + 1)
        times.append((time.perf_counter() - start) * 1000)
    done = arrivals.count
    start, cpu = time.perf_counter(), time.process_time()
    for number in range(burst):
        await send(f"burst{number}")
    await arrivals.reach(done + burst)
    elapsed = time.perf_counter() - start
    return {
        "p50_ms": statistics.median(times),
        "p95_ms": statistics.quantiles(times, n=20)[-1],
        "per_second": burst / elapsed,
        "cpu_ms": (time.process_time() - cpu) * 1000 / burst,
    }


def body_of(name: str) -> bytes:
    """The same event that our path publishes, as bytes."""
    asked = problem(name, informal_statement=STATEMENT)
    return said(ProblemSubmitted(problem=asked), "r1", name).to_json()


def answer_of(name: str) -> bytes:
    """The same event that our path decides, as bytes."""
    return said(LlmReserved(call=1, agent="bench", purpose="noop"), "r1", name).to_json()


@asynccontextmanager
async def plain_worker(js: JetStreamContext, durable: str) -> AsyncIterator[None]:
    """nats-py alone: pull one, publish one, acknowledge."""
    subscription = await js.pull_subscribe("plain.in.>", durable=durable, stream=PLAIN_STREAM)
    answer = answer_of("a")

    async def _work() -> None:
        while True:
            with suppress(TimeoutError):
                for message in await subscription.fetch(1, timeout=2):
                    await js.publish("plain.out", answer)
                    await message.ack()

    working = asyncio.create_task(_work())
    try:
        yield
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


@asynccontextmanager
async def faststream_worker(url: str, js: JetStreamContext, durable: str) -> AsyncIterator[None]:
    """FastStream alone, with the same manual acknowledgement."""
    await js.add_consumer(
        PLAIN_STREAM,
        config=api.ConsumerConfig(durable_name=durable, filter_subject="plain.fast.>"),
    )
    broker = NatsBroker(url, logger=None, apply_types=False)
    answer = answer_of("a")

    @broker.subscriber(
        "plain.fast.>",
        stream=JStream(PLAIN_STREAM, declare=False),
        durable=durable,
        pull_sub=PullSub(batch_size=1, timeout=2),
        ack_policy=AckPolicy.MANUAL,
        decoder=_as_it_is,
    )
    async def _on_message(message: NatsMessage) -> None:
        await js.publish("plain.out", answer)
        await message.ack()

    await broker.start()
    try:
        yield
    finally:
        await broker.stop()


async def _as_it_is(message: NatsMessage) -> NatsMessage:
    return message


async def bench_hops(hops: int, burst: int) -> dict[str, dict[str, float]]:
    """The three paths, one after the other on one server."""
    results = {}
    async with isolated_server() as server:
        settings = app_settings(server.url)
        client = await connect(settings.bus, "bench")
        js = client.jetstream(timeout=5)
        await provision(js, settings.streams)
        await js.add_stream(name=PLAIN_STREAM, subjects=["plain.>"], allow_direct=True)
        for label, subject in (("plain", "plain.in"), ("faststream", "plain.fast")):
            arrivals = Arrivals()
            await arrivals.listen(client, "plain.out")

            async def send(name: str, subject: str = subject) -> None:
                await js.publish(f"{subject}.{name}", body_of(name))

            worker = (
                plain_worker(js, label)
                if label == "plain"
                else faststream_worker(server.url, js, label)
            )
            async with worker:
                results[label] = await measure(send, arrivals, hops, burst)
        for label, told in WATCHED.items():
            watched = replace(settings, telemetry=told)
            results[label] = await _bench_ours(client, watched, hops, burst, label)
        await client.close()
    return results


WATCHED = {
    "ours": TelemetrySettings(),
    "counted": TelemetrySettings(metrics_port=0),
    # Nobody listens there: what is measured is the worker's part.
    "traced": TelemetrySettings(metrics_port=0, otlp_endpoint="http://127.0.0.1:9"),
}


async def _bench_ours(
    client: Client, settings: Any, hops: int, burst: int, run: str
) -> dict[str, float]:
    publisher = Publisher(client)
    await start_run(publisher, run)
    arrivals = Arrivals()
    await arrivals.listen(client, subjects.events_of_run(run, "llm_reserved"))

    async def decide(context: Any, case: Any, trigger: Any) -> list[LlmReserved]:
        return [LlmReserved(call=1, agent="bench", purpose="noop")]

    async def send(name: str) -> None:
        asked = problem(name, informal_statement=STATEMENT)
        await publisher.publish(said(ProblemSubmitted(problem=asked), run, name))

    def mine(trigger: AnyEvent) -> bool:
        return trigger.run_id == run

    worker = scripted_worker(decide, role=run, emits=(LlmReserved,), wants=mine)
    async with running_worker(worker, settings):
        return await measure(send, arrivals, hops, burst)


async def bench_fold(noise: int) -> dict[str, float]:
    """Reading and folding one problem of 40 and one of 500 events among `noise` others."""
    async with isolated_server() as server:
        settings = app_settings(server.url)
        client = await connect(settings.bus, "bench")
        js = client.jetstream(timeout=30)
        await provision(js, settings.streams)
        await start_run(Publisher(client), "r1")
        await _store_noise(js, noise // 2, 0)
        for name, count in (("small", 40), ("large", 500)):
            for call in range(1, count + 1):
                event = said(LlmReserved(call=call, agent="bench", purpose="noop"), "r1", name)
                await js.publish(subject_of(event), event.to_json())
        await _store_noise(js, noise - noise // 2, noise // 2)
        results = {"events": float((await js.stream_info(EVENTS)).state.messages)}
        for name, count in (("small", 40), ("large", 500)):
            readers = [EventReader(client) for _ in range(10)]
            results[f"fold_{count}_ms"] = await _fold_ms(readers, name, count)
            results[f"fold_{count}_again_ms"] = await _fold_ms(readers, name, count)
        await client.close()
    return results


async def _fold_ms(readers: list[EventReader], name: str, count: int) -> float:
    """Median over readers; a reader that read the problem before asks for what is new."""
    times = []
    for reader in readers:
        start = time.perf_counter()
        case = await reader.load_case("r1", name)
        times.append((time.perf_counter() - start) * 1000)
        if len(case.events) != count:
            raise RuntimeError(f"folded {len(case.events)} events, not {count}")
    return statistics.median(times)


async def _store_noise(js: JetStreamContext, count: int, first: int) -> None:
    """Events of other problems, 40 each, stored as fast as the server takes them."""
    body = body_of("noise")
    for start in range(first, first + count, 1000):
        acks = [
            await js.publish_async(f"rs.v1.problem_submitted.r1.n{i // 40}.{i:032x}", body)
            for i in range(start, min(start + 1000, first + count))
        ]
        await asyncio.wait_for(asyncio.gather(*acks), 60)


def table(hops: dict[str, dict[str, float]], fold: dict[str, float]) -> str:
    """The results for people."""
    head = ("path", "p50 ms", "p95 ms", "hops/s", "CPU ms", "p50 ratio", "rate ratio")
    lines = ["".join(f"{title:>12}" for title in head)]
    base = hops["plain"]
    for label, row in hops.items():
        p50, p95, rate = row["p50_ms"], row["p95_ms"], row["per_second"]
        ratios = f"{p50 / base['p50_ms']:>12.2f}{rate / base['per_second']:>12.2f}"
        shown = f"{p50:>12.2f}{p95:>12.2f}{rate:>12.0f}{row['cpu_ms']:>12.2f}"
        lines.append(f"{label:>12}{shown}{ratios}")
    lines.append(f"fold of one problem among {fold['events']:.0f} events, ms:")
    lines += [
        f"  {count} of its own: {fold[f'fold_{count}_ms']:.1f}, "
        f"read before: {fold[f'fold_{count}_again_ms']:.1f}"
        for count in (40, 500)
    ]
    return "\n".join(lines)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="a tenth of the load")
    options = parser.parse_args()
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    share = 10 if options.quick else 1
    hops = asyncio.run(bench_hops(500 // share, 2000 // share))
    fold = asyncio.run(bench_fold(100_000 // share))
    base = hops["plain"]
    ratios = {
        label: {
            "p50": row["p50_ms"] / base["p50_ms"],
            "per_second": row["per_second"] / base["per_second"],
        }
        for label, row in hops.items()
    }
    result = {"hops": hops, "ratios_to_plain": ratios, "fold": fold}
    sys.stdout.write((json.dumps(result) if options.json else table(hops, fold)) + "\n")


if __name__ == "__main__":
    main()
