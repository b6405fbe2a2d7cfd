"""Numbers and health of real workers on the real server."""

import os
import signal
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_runtime.cancel import cancel
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.telemetry.endpoint import ask
from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.testing import running_worker, scripted_worker, until
from suites.simulated_house import House, wait_for
from suites.worker_processes import children

pytestmark = pytest.mark.connected


async def counts(path: Path, name: str) -> dict[str, float]:
    """Samples of one metric by their labels."""
    page = await ask(path, "/metrics")
    return samples(page.text, name)


def samples(text: str, name: str) -> dict[str, float]:
    return {
        ",".join(v for k, v in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name
    }


async def test_a_worker_tells_what_it_did_and_whether_it_works(bus, tmp_path):
    async def decide(context, case, trigger):
        if trigger.problem_id == "bad":
            raise PermanentError("never")
        return [LlmReserved(call=1, agent="echo", purpose="test")]

    path = tmp_path / "one.sock"
    told = TelemetrySettings(metrics_socket=str(path))
    settings = replace(bus.settings, telemetry=told)
    await bus.submit("over")
    await cancel(bus.publisher, bus.reader, "r1", "over", by="me")
    for name in ("good", "bad"):
        await bus.submit(name)
    async with running_worker(scripted_worker(decide, emits=(LlmReserved,)), settings):

        async def settled() -> bool:
            return sum((await counts(path, "ragsolver_deliveries_total")).values()) == 3

        await until(settled)
        prefix = "echo,problem_submitted"
        assert await counts(path, "ragsolver_deliveries_total") == {
            f"acknowledged,{prefix}": 1,
            f"ended,{prefix}": 1,
            f"dead_lettered,{prefix}": 1,
        }
        assert await counts(path, "ragsolver_published_events_total") == {
            "stored,echo,llm_reserved": 1,
            "stored,echo,work_failed": 1,
        }
        assert await counts(path, "ragsolver_fold_events_count") == {"echo": 3}

        async def nothing_waits() -> bool:
            return await counts(path, "ragsolver_consumer_pending") == {"echo": 0}

        await until(nothing_waits)
        await _health_follows_the_bus(bus, path)


async def _health_follows_the_bus(bus, path: Path) -> None:
    async def status(wanted: int) -> bool:
        return (await ask(path, "/healthz")).status == wanted

    async def befallen() -> bool:
        alarms = await counts(path, "ragsolver_bus_alarms_total")
        return {"disconnected,echo", "reconnected,echo"} <= set(alarms)

    await until(lambda: status(200))
    os.kill(bus.server.pid, signal.SIGSTOP)
    try:
        await until(lambda: status(503))
    finally:
        os.kill(bus.server.pid, signal.SIGCONT)
    await until(lambda: status(200))
    os.kill(bus.server.pid, signal.SIGKILL)
    await until(befallen)
    await until(lambda: status(200))


def _fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - our own loopback port
        return answer.read().decode()


@pytest.mark.timeout(120)
def test_up_serves_the_numbers_of_all_its_processes(tmp_path):
    house = House(tmp_path)
    few = "intake=0,planner=0,retriever=0,generator=0,formalizer=0,critic=2"
    running = house.start("up", *house.config, "--scale", few, "--metrics-port", "0")
    try:
        url = next(
            line.split()[-1].decode() for line in running.stderr if line.startswith(b"metrics at ")
        )
        health = url.replace("/metrics", "/healthz")
        wait_for(lambda: _is_well(health))
        built = {tuple(labels.split(",")[1:-1]) for labels in _of(url, "ragsolver_build_info")}
        critics = {("1", "critic"), ("2", "critic")}
        assert built == {*critics, ("1", "verifier"), ("supervisor",)}
        os.kill(children(running)["verifier"], signal.SIGKILL)
        wait_for(lambda: _of(url, "ragsolver_worker_restarts").get("verifier") == 1)
        wait_for(lambda: _is_well(health))
    finally:
        running.terminate()
        running.communicate(timeout=20)


def _of(url: str, name: str) -> dict[str, float]:
    return samples(_fetch(url), name)


def _is_well(url: str) -> bool:
    try:
        return "ok" in _fetch(url)
    except OSError:
        return False
