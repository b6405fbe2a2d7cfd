"""Sends spans to an OTLP collector over HTTP; a collector that is away costs no work."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.telemetry.spans import Ids, Traced

_FLUSH_S = 3.0
"""What the last spans get at the end of a process."""
_PATH = "/v1/traces"


@asynccontextmanager
async def exported(
    settings: TelemetrySettings, role: str, env: Mapping[str, str], model_provider: str
) -> AsyncIterator[Traced]:
    """Spans of this process, exported in the background for the block.

    Args:
        settings: where to; what they leave open the variables of OpenTelemetry say.
        role: of the process.
        env: environment.
        model_provider: who answers calls of language models.
    """
    ids = Ids()
    provider = TracerProvider(
        resource=Resource.create(about(role, env)), id_generator=ids, shutdown_on_exit=False
    )
    base = settings.otlp_endpoint.rstrip("/")
    exporter = OTLPSpanExporter(endpoint=f"{base}{_PATH}") if base else OTLPSpanExporter()
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield Traced(provider, ids, model_provider)
    finally:
        # In a thread that nobody waits for longer: a collector may never answer.
        last = threading.Thread(target=provider.shutdown, name="last spans", daemon=True)
        last.start()
        await asyncio.to_thread(last.join, _FLUSH_S)


def about(role: str, env: Mapping[str, str]) -> dict[str, str]:
    """Attributes of the process; a name that the environment gives is left to it."""
    found = {
        "service.namespace": "ragsolver",
        "service.version": version("ragsolver"),
        "service.instance.id": f"{role}-{os.getpid()}",
        "ragsolver.role": role,
    }
    given = env.get("OTEL_SERVICE_NAME") or "service.name=" in env.get(
        "OTEL_RESOURCE_ATTRIBUTES", ""
    )
    return found if given else {**found, "service.name": f"ragsolver-{role}"}
