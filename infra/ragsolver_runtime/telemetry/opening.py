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
    settings: TelemetrySettings, role: str, env: Mapping[str, str]
) -> AsyncIterator[Telemetry]:
    """What one process tells, for the block.

    Args:
        settings: where to.
        role: of the process.
        env: environment, for the variables of OpenTelemetry.

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
        yield Telemetry(numbers, Spans(), health)


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
