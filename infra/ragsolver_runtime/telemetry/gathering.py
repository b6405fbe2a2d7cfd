"""One page for all processes of `ragsolver up`: their numbers together, and whether all work."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.telemetry.endpoint import Endpoint, Page, ask
from ragsolver_runtime.telemetry.settings import INSTALL, TelemetrySettings

SUPERVISOR = "supervisor"


@asynccontextmanager
async def sockets_for(settings: TelemetrySettings) -> AsyncIterator[Path | None]:
    """A private folder for the socket files of child processes; none where nobody asks for it."""
    if settings.metrics_port is None:
        yield None
        return
    # Not below the data folder: the path of a socket may have about a hundred bytes.
    with tempfile.TemporaryDirectory(prefix="rs-") as folder:
        yield Path(folder)


def socket_of(folder: Path, name: str) -> Path:
    """Socket file of the child process `name`."""
    return folder / f"{name}.sock"


@asynccontextmanager
async def gathered(
    settings: TelemetrySettings,
    folder: Path,
    names: Iterable[str],
    restarts: Callable[[], Mapping[str, int]],
) -> AsyncIterator[int]:
    """Serve the pages of all children on one port for the block; gives the port.

    Args:
        settings: the port.
        folder: of the children's sockets.
        names: of the children, `verifier-2`.
        restarts: how often each child was started again.

    Raises:
        ConfigError: the port cannot be had, or a package is missing.
    """
    try:
        from ragsolver_runtime.telemetry.exposition import (
            CONTENT_TYPE,
            put_together,
            text_of,
        )
        from ragsolver_runtime.telemetry.numbers import Counted
    except ImportError as error:
        raise ConfigError(f"metrics cannot be counted ({error}): {INSTALL}") from error
    known = tuple(names)
    own = Counted(SUPERVISOR)

    async def _metrics() -> Page:
        for role, number in by_role(restarts(), known).items():
            own.restarts(role, number)
        answers = await _ask_all(folder, known, "/metrics")
        texts = {name: page.text for name, page in answers.items() if page.status == 200}
        texts[SUPERVISOR] = text_of(own.registry)
        return Page(200, put_together(texts), CONTENT_TYPE)

    async def _healthz() -> Page:
        answers = await _ask_all(folder, known, "/healthz")
        lines = [f"{name}: {page.text.strip()}" for name, page in answers.items()]
        well = all(page.status == 200 for page in answers.values())
        return Page(200 if well else 503, "\n".join(lines) + "\n")

    endpoint = Endpoint({"/metrics": _metrics, "/healthz": _healthz})
    async with endpoint.on_port(settings.metrics_host, settings.metrics_port or 0) as port:
        yield port


def by_role(restarts: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    """Restarts of all processes of a role together; 0 where none was needed."""
    counts: Counter[str] = Counter()
    for name in names:
        counts[name.rpartition("-")[0] or name] += restarts.get(name, 0)
    return dict(counts)


async def _ask_all(folder: Path, names: tuple[str, ...], path: str) -> dict[str, Page]:
    answers = await asyncio.gather(*(_ask(folder, name, path) for name in names))
    return dict(zip(names, answers, strict=True))


async def _ask(folder: Path, name: str, path: str) -> Page:
    try:
        return await ask(socket_of(folder, name), path)
    except (OSError, TimeoutError):
        return Page(503, "it does not answer\n")
