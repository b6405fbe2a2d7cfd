import pytest

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.testing import event
from ragsolver_runtime.telemetry.exporting import about, exported
from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.telemetry.watching import Publication
from suites.otlp_receiver import collector

EVENT = event(LlmReserved(call=1, agent="critic", purpose="critique"))


async def test_the_last_spans_are_sent_at_the_end():
    with collector() as collected:
        settings = TelemetrySettings(otlp_endpoint=f"{collected.url}/")
        async with exported(settings, "critic", {}, "anthropic") as spans:
            with spans.publishing(Publication(EVENT)):
                pass
    (span,) = collected.spans
    assert span.service == "ragsolver-critic"
    assert span.attributes["messaging.message.id"] == EVENT.id
    assert collected.paths == {"/v1/traces"}


async def test_the_variables_of_opentelemetry_are_heard(monkeypatch):
    with collector() as collected:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collected.url)
        monkeypatch.setenv("OTEL_SERVICE_NAME", "mine")
        env = {"OTEL_SERVICE_NAME": "mine"}
        async with exported(TelemetrySettings(), "critic", env, "") as spans:
            with spans.publishing(Publication(EVENT)):
                pass
    assert [span.service for span in collected.spans] == ["mine"]


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({}, "ragsolver-critic"),
        ({"OTEL_SERVICE_NAME": "x"}, None),
        ({"OTEL_RESOURCE_ATTRIBUTES": "a=b,service.name=x"}, None),
    ],
)
def test_the_name_of_the_service_may_be_given(env, name):
    assert about("critic", env).get("service.name") == name
