"""Cost of traces against plain nats-py on the same messages, in the same run.

    python tests/bench/bench_trace.py [--json] [--quick] [--events N]

*import* puts a trace on an empty bus: every line parsed, validated, and stored so that its event
can never be stored twice. *plain publish* is nats-py alone, one acknowledged publish after the
other; *plain pipelined* awaits many acknowledgements together. *export* reads the run back,
validates it and writes sealed lines; *plain read* is a nats-py pull consumer that fetches the
same messages and throws them away. *verify*, *hash* and *diff* read the file alone. Machine
times differ; only ratios mean something. The peak of resident memory is that of a process of its
own for each step, at a tenth of the events and at all of them: it must not grow with the trace.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from nats.aio.client import Client
from nats.js import api

from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.connect import connect
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.replay.compare import partings
from ragsolver_runtime.replay.source import FileRun, run_state
from ragsolver_runtime.streams import provision
from ragsolver_runtime.testing import app_settings, isolated_server
from ragsolver_runtime.trace import export_run, import_trace, lines_of, read_trace, trace_line
from ragsolver_runtime.trace_chain import ChainWriter
from ragsolver_runtime.trace_file import open_trace
from ragsolver_runtime.trace_verify import verify_trace
from ragsolver_runtime.wire import StoredEvent
from suites.sample_run import RUN, VERSIONS, RunWriter, write_not_proved, write_solved

PLAIN = "PLAIN"
STEPS = ("import", "export", "verify", "hash", "diff")
_PIPELINE = 256
_MIB = 1024


def say(line: str) -> None:
    """One line of output."""
    sys.stdout.write(f"{line}\n")


def events(count: int) -> Iterator[AnyEvent]:
    """About `count` events of one run, problem after problem."""
    start = RunWriter()
    start.start(None)
    yield from start.events
    made, number = len(start.events), 0
    while made < count:
        writer = RunWriter()
        write = write_solved if number % 2 else write_not_proved
        write(writer, f"problem{number}", number + 1)
        yield from writer.events
        made, number = made + len(writer.events), number + 1


def write_file(path: Path, count: int) -> int:
    """A sealed trace; returns how many events it has."""
    chain = ChainWriter()
    with path.open("w", encoding="utf-8") as stream:
        for number, event in enumerate(events(count), start=1):
            stored = StoredEvent(number, event)
            stream.write(chain.seal(trace_line(stored, VERSIONS, version=2)) + "\n")
        stream.write(chain.close(RUN) + "\n")
    return chain.count


async def with_bus(url: str, work: Callable[[Client], Awaitable[float]]) -> float:
    """Run `work` on a provisioned bus; returns what it returns."""
    settings = app_settings(url)
    client = await connect(settings.bus, "bench")
    try:
        await provision(client.jetstream(timeout=5), settings.streams)
        return await work(client)
    finally:
        await client.close()


async def bring_in(client: Client, path: Path) -> float:
    """Seconds of an import."""
    began = time.perf_counter()
    with path.open("rb") as stream:
        await import_trace(read_trace(lines_of(stream)), Publisher(client))
    return time.perf_counter() - began


async def take_out(client: Client, path: Path) -> float:
    """Seconds of an export."""
    began = time.perf_counter()
    with path.open("w", encoding="utf-8") as stream:
        async for line in export_run(EventReader(client), RUN):
            stream.write(f"{line}\n")
    return time.perf_counter() - began


async def on_file(step: str, path: Path) -> float:
    """Seconds of what needs no bus."""
    began = time.perf_counter()
    if step == "verify":
        assert verify_trace(path).faults == []
    elif step == "hash":
        with open_trace(path) as trace:
            await run_state(FileRun(trace, RUN))
    else:
        with open_trace(path) as one, open_trace(path) as other:
            assert [p async for p in partings(FileRun(one, RUN), FileRun(other, RUN))] == []
    return time.perf_counter() - began


async def step(name: str, path: Path, url: str) -> float:
    """Seconds of one step in this process."""
    if name == "import":
        return await with_bus(url, lambda client: bring_in(client, path))
    if name == "export":
        target = path.with_suffix(".out")
        return await with_bus(url, lambda client: take_out(client, target))
    return await on_file(name, path)


def apart(name: str, path: Path, url: str) -> dict[str, float]:
    """One step in a process of its own: seconds and peak MiB."""
    command = [sys.executable, __file__, "--step", name, "--file", str(path), "--url", url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


async def plain(url: str, path: Path) -> dict[str, float]:
    """The same messages by nats-py alone."""
    client = await connect(app_settings(url).bus, "plain")
    try:
        js = client.jetstream(timeout=5)
        await js.add_stream(
            name=PLAIN, subjects=["plain.>"], storage=api.StorageType.FILE, allow_direct=True
        )
        found = {}
        for name in ("one", "many"):
            began = time.perf_counter()
            waiting: list[Awaitable[Any]] = []
            for subject, body in _messages(path):
                target = f"plain.{name}.{subject}"
                if name == "one":
                    await js.publish(target, body)
                    continue
                waiting.append(await js.publish_async(target, body))
                if len(waiting) >= _PIPELINE:
                    await asyncio.gather(*waiting)
                    waiting.clear()
            await asyncio.gather(*waiting)
            found[name] = time.perf_counter() - began
        left = sum(1 for _ in _messages(path))
        config = api.ConsumerConfig(ack_policy=api.AckPolicy.NONE, inactive_threshold=300.0)
        subscription = await js.pull_subscribe("plain.one.>", stream=PLAIN, config=config)
        began = time.perf_counter()
        while left:
            left -= len(await subscription.fetch(min(left, _PIPELINE), timeout=5))
        return found | {"read": time.perf_counter() - began}
    finally:
        await client.close()


def _messages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Subject and body of every event of the file, as the bus holds them."""
    with path.open("rb") as stream:
        for raw in stream:
            record = json.loads(raw)
            if "event" in record:
                yield record["subject"], json.dumps(record["event"]).encode()


async def measure(count: int) -> dict[str, Any]:
    """Every step at a tenth of the events and at all of them."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="ragsolver-bench-") as folder:
        for size in (count // 10, count):
            path = Path(folder) / f"{size}.jsonl"
            made = write_file(path, size)
            async with isolated_server() as server:
                row: dict[str, Any] = {"events": made, "mib": path.stat().st_size / 2**20}
                row["plain"] = await plain(server.url, path)
                for name in STEPS:
                    row[name] = await asyncio.to_thread(apart, name, path, server.url)
            found[str(size)] = row
    return found


def report(found: dict[str, Any]) -> None:
    """The table."""
    for row in found.values():
        count, base = row["events"], row["plain"]
        say(f"\n{count} events, {row['mib']:.0f} MiB")
        for name, seconds in base.items():
            title = {"one": "plain publish", "many": "plain pipelined", "read": "plain read"}[name]
            say(f"  {title:16} {count / seconds:9.0f} events/s")
        for name in STEPS:
            seconds, peak = row[name]["seconds"], row[name]["peak_mib"]
            beside = {"import": base["one"], "export": base["read"]}.get(name)
            ratio = f", {seconds / beside:.2f} times plain" if beside else ""
            say(f"  {name:16} {count / seconds:9.0f} events/s, peak {peak:.0f} MiB{ratio}")
    small, large = found.values()
    say("\npeak memory at all events, over that at a tenth of them")
    for name in STEPS:
        say(f"  {name:16} {large[name]['peak_mib'] / small[name]['peak_mib']:.2f}")


def main() -> None:
    """Measure, or do one step for a measuring process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="10,000 events")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--step", choices=STEPS)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--url", default="")
    asked = parser.parse_args()
    if asked.step:
        seconds = asyncio.run(step(asked.step, asked.file, asked.url))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB
        say(json.dumps({"seconds": seconds, "peak_mib": peak}))
        return
    found = asyncio.run(measure(10_000 if asked.quick else asked.events))
    if asked.json:
        say(json.dumps(found, indent=2))
    else:
        report(found)


if __name__ == "__main__":
    main()
