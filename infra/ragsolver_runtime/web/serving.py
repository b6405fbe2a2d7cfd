"""Serving the page: a socket, the server on it, and the bus that it looks at."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.tasks import end
from ragsolver_runtime.web.api import Api
from ragsolver_runtime.web.assets import load_assets
from ragsolver_runtime.web.guard import is_loopback
from ragsolver_runtime.web.pages import application
from ragsolver_runtime.web.reports import ReportFolders
from ragsolver_runtime.web.source import BusSource, Opener

_GRACE_S = 2
_STARTED_POLL_S = 0.02


@dataclass(frozen=True)
class WebSettings:
    """Where the page is served and what it shows."""

    host: str = "127.0.0.1"
    port: int = 0
    """0: any free one."""
    names: tuple[str, ...] = ()
    """Further host names by which it may be called."""
    reports: tuple[Path, ...] = ()
    data: str = ""


class _Server(uvicorn.Server):
    """The server without its own handling of signals: who starts it cancels it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to others."""
        yield


@asynccontextmanager
async def served(settings: WebSettings, opener: Opener) -> AsyncIterator[str]:
    """The page, for the block; gives its URL.

    Args:
        settings: where and what.
        opener: opens the bus.

    Raises:
        ConfigError: the address cannot be used.
    """
    listening = listen(settings.host, settings.port)
    source = BusSource(opener)
    api = Api(source, ReportFolders(settings.reports), settings.data)
    names = (settings.host, *settings.names)
    config = uvicorn.Config(
        application(api, load_assets(), names),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_S,
    )
    # Requests that are cut off at the end are no errors.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    server = _Server(config)
    looking = asyncio.create_task(source.run(), name="web bus")
    serving = asyncio.create_task(server.serve(sockets=[listening]), name="web server")
    try:
        while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event
            await asyncio.sleep(_STARTED_POLL_S)
        if serving.done():
            serving.result()
        yield url_of(settings.host, listening.getsockname()[1])
    finally:
        await end(looking)  # closes the feeds, and so ends the streams
        server.should_exit = True
        await asyncio.wait({serving}, timeout=_GRACE_S + 3)
        await end(serving)
        listening.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket on which the page can be asked for.

    Raises:
        ConfigError: the address is in use, not ours or not allowed.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        raise ConfigError(
            f"the page cannot be served on {host} port {port}: {error.strerror or error}; "
            "choose another one with --port or --host"
        ) from error


def url_of(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared only
    return f"http://{f'[{shown}]' if ':' in shown and shown[0] != '[' else shown}:{port}/"


def warnings_of(settings: WebSettings) -> Sequence[str]:
    """What a person has to know before others can reach the page."""
    if is_loopback(settings.host):
        return ()
    return (
        f"the page is served on {settings.host}: whoever reaches this machine can read every "
        "problem, proof and exchange with a language model; there is no password",
    )
