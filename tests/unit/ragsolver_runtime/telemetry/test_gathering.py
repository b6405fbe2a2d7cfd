import asyncio
from contextlib import AsyncExitStack

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.telemetry.gathering import by_role, gathered, socket_of, sockets_for
from ragsolver_runtime.telemetry.opening import open_telemetry
from ragsolver_runtime.telemetry.settings import TelemetrySettings

NAMES = ("critic-1", "critic-2", "verifier-1")


async def _get(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\n\r\n".encode())
    whole = (await reader.read()).decode()
    writer.close()
    return int(whole.split()[1]), whole.partition("\r\n\r\n")[2]


async def test_all_children_are_on_one_page():
    settings = TelemetrySettings(metrics_port=0)
    async with AsyncExitStack() as stack:
        folder = await stack.enter_async_context(sockets_for(settings))
        told = {}
        for name in NAMES[:2]:
            child = TelemetrySettings(metrics_socket=str(socket_of(folder, name)))
            told[name] = await stack.enter_async_context(open_telemetry(child, "critic", {}))
            told[name].numbers.alarm("error")
        pages = gathered(settings, folder, NAMES, lambda: {"critic-2": 3})
        port = await stack.enter_async_context(pages)
        status, text = await _get(port, "/metrics")
        assert status == 200
        for replica in "12":
            sample = f'{{kind="error",replica="{replica}",role="critic"}} 1.0'
            assert f"ragsolver_bus_alarms_total{sample}" in text
        assert 'ragsolver_worker_restarts{role="critic"} 3.0' in text
        assert 'ragsolver_worker_restarts{role="verifier"} 0.0' in text
        status, text = await _get(port, "/healthz")
        assert status == 503
        assert text.splitlines() == [
            "critic-1: not taking deliveries",
            "critic-2: not taking deliveries",
            "verifier-1: it does not answer",
        ]


async def test_all_are_well_when_each_is():
    settings = TelemetrySettings(metrics_port=0)
    async with AsyncExitStack() as stack:
        folder = await stack.enter_async_context(sockets_for(settings))
        child = TelemetrySettings(metrics_socket=str(socket_of(folder, "critic-1")))
        told = await stack.enter_async_context(open_telemetry(child, "critic", {}))
        told.health.taking, told.health.connected = True, lambda: True
        port = await stack.enter_async_context(gathered(settings, folder, ["critic-1"], dict))
        assert await _get(port, "/healthz") == (200, "critic-1: ok\n")


async def test_nobody_asks_where_no_port_is_set():
    async with sockets_for(TelemetrySettings()) as folder:
        assert folder is None


async def test_the_folder_of_the_sockets_is_private_and_vanishes():
    async with sockets_for(TelemetrySettings(metrics_port=0)) as folder:
        assert folder.stat().st_mode & 0o077 == 0
        assert len(str(socket_of(folder, "retriever-10"))) < 100
    assert not folder.exists()


async def test_a_taken_port_is_told(tmp_path):
    settings = TelemetrySettings(metrics_port=0)
    async with gathered(settings, tmp_path, [], dict) as port:
        with pytest.raises(ConfigError, match="--metrics-port"):
            async with gathered(TelemetrySettings(metrics_port=port), tmp_path, [], dict):
                pass


def test_restarts_of_replicas_are_counted_together():
    names = ["critic-1", "critic-2", "verifier-1"]
    restarts = {"critic-1": 1, "critic-2": 2}
    assert by_role(restarts, names) == {"critic": 3, "verifier": 0}
