"""Opens what a process tells about itself: numbers on a page, spans to a collector, or nothing."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.telemetry.endpoint import Endpoint, Page, Pages
from ragsolver_runtime.telemetry.settings import INSTALL, TelemetrySettings
from ragsolver_runtime.telemetry.watching import Health, Numbers, Spans, Telemetry

_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_telemetry(
    settings: TelemetrySettings,
    role: str,
    env: Mapping[str, str],
    model_provider: str = "",
) -> AsyncIterator[Telemetry]:
    """What one process tells, for the block.

    Args:
        settings: where to.
        role: of the process.
        env: environment, for the variables of OpenTelemetry.
        model_provider: who answers calls of language models.

    Raises:
        ConfigError: numbers are asked for and cannot be served.
    """
    health = Health()
    async with AsyncExitStack() as stack:
        numbers = Numbers()
        if settings.counts:
            numbers, pages = _counted(role, health)
            endpoint = Endpoint(pages)
            if settings.metrics_socket:
                path = Path(settings.metrics_socket)
                await stack.enter_async_context(endpoint.on_socket(path))
            elif settings.metrics_port is not None:
                host, port = settings.metrics_host, settings.metrics_port
                port = await stack.enter_async_context(endpoint.on_port(host, port))
                _log.info("metrics at http://%s:%d/metrics", host, port)
        spans = await stack.enter_async_context(_spans(settings, role, env, model_provider))
        yield Telemetry(numbers, spans, health)


def traces_wanted(settings: TelemetrySettings, env: Mapping[str, str]) -> bool:
    """Whether spans go anywhere, by settings or by the variables of OpenTelemetry."""
    if env.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    chosen = env.get("OTEL_TRACES_EXPORTER", "").lower()
    if chosen == "none":
        return False
    places = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return bool(settings.otlp_endpoint) or chosen == "otlp" or any(map(env.get, places))


@asynccontextmanager
async def _spans(
    settings: TelemetrySettings, role: str, env: Mapping[str, str], model_provider: str
) -> AsyncIterator[Spans]:
    if not traces_wanted(settings, env):
        yield Spans()
        return
    try:  # imported here: without traces nobody needs the package
        from ragsolver_runtime.telemetry.exporting import exported
    except ImportError as error:
        # The variables may be meant for other programs: a reason to tell, none to stop.
        _log.warning("no traces are sent (%s): %s", error, INSTALL)
        yield Spans()
        return
    async with exported(settings, role, env, model_provider) as spans:
        yield spans


def _counted(role: str, health: Health) -> tuple[Numbers, Pages]:
    """Numbers of a process, and its pages."""
    try:  # imported here: without metrics nobody needs the package
        from ragsolver_runtime.telemetry.exposition import CONTENT_TYPE, text_of
        from ragsolver_runtime.telemetry.numbers import Counted
    except ImportError as error:
        raise ConfigError(f"metrics cannot be counted ({error}): {INSTALL}") from error
    numbers = Counted(role)

    async def _metrics() -> Page:
        return Page(200, text_of(numbers.registry), CONTENT_TYPE)

    async def _healthz() -> Page:
        wrong = health.wrong()
        return Page(503, f"{wrong}\n") if wrong else Page(200, "ok\n")

    return numbers, {"/metrics": _metrics, "/healthz": _healthz}
