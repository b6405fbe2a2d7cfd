import sys

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.telemetry.endpoint import ask
from ragsolver_runtime.telemetry.opening import open_telemetry, traces_wanted
from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.telemetry.watching import Numbers, Spans


async def test_nothing_is_opened_by_default():
    async with open_telemetry(TelemetrySettings(), "critic", {}) as told:
        assert type(told.numbers) is Numbers
        assert type(told.spans) is Spans


async def test_numbers_and_health_are_served(tmp_path):
    path = tmp_path / "one.sock"
    settings = TelemetrySettings(metrics_socket=str(path), metrics_port=1)
    async with open_telemetry(settings, "critic", {}) as told:
        told.numbers.alarm("error")
        page = await ask(path, "/metrics")
        assert 'ragsolver_bus_alarms_total{kind="error",role="critic"} 1.0' in page.text
        assert (await ask(path, "/healthz")).text == "not taking deliveries\n"
        told.health.taking, told.health.connected = True, lambda: True
        assert (await ask(path, "/healthz")).status == 200


async def test_a_port_is_logged(caplog):
    caplog.set_level("INFO")
    async with open_telemetry(TelemetrySettings(metrics_port=0), "critic", {}):
        assert "metrics at http://127.0.0.1:" in caplog.text


async def test_a_missing_package_is_told_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    for name in [n for n in sys.modules if n.startswith("ragsolver_runtime.telemetry.")]:
        if name.rpartition(".")[2] in {"numbers", "exposition"}:
            monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ConfigError, match=r"pip install 'ragsolver\[telemetry\]'"):
        async with open_telemetry(TelemetrySettings(metrics_port=0), "critic", {}):
            pass
    async with open_telemetry(TelemetrySettings(), "critic", {}) as told:
        told.numbers.begun()


@pytest.mark.parametrize(
    ("settings", "env", "wanted"),
    [
        ({}, {}, False),
        ({"otlp_endpoint": "http://x"}, {}, True),
        ({}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, True),
        ({}, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x"}, True),
        ({}, {"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"otlp_endpoint": "http://x"}, {"OTEL_TRACES_EXPORTER": "none"}, False),
        ({"otlp_endpoint": "http://x"}, {"OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_traces_are_off_until_somebody_names_a_place(settings, env, wanted):
    assert traces_wanted(TelemetrySettings(**settings), env) is wanted


async def test_traces_without_the_package_are_told_and_work_goes_on(monkeypatch, caplog):
    name = "ragsolver_runtime.telemetry.exporting"
    monkeypatch.setitem(sys.modules, name, None)
    settings = TelemetrySettings(otlp_endpoint="http://127.0.0.1:9")
    async with open_telemetry(settings, "critic", {}) as told:
        assert type(told.spans) is Spans
    assert "pip install 'ragsolver[telemetry]'" in caplog.text
