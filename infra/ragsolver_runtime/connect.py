"""Connections to NATS that never give up quietly.

The server tells the reason of a refusal only in the error callback, and a client whose reconnect
attempts are used up lives on without ever consuming again. So attempts are unlimited, every
error is logged as an alarm, and a connection that closes for good calls back.
"""

import asyncio
import logging
import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client

from ragsolver_runtime.access.credentials import Credentials
from ragsolver_runtime.access.echoes import mark_echoes
from ragsolver_runtime.access.refusals import Refusals, attach
from ragsolver_runtime.errors import BusLostError, ConfigError, RefusedError
from ragsolver_runtime.tasks import end
from ragsolver_runtime.telemetry.alarms import counted
from ragsolver_runtime.telemetry.watching import Numbers

_log = logging.getLogger(__name__)

DEFAULT_INBOX = "_INBOX"
REQUEST_TIMEOUT_S = 5.0
_REJECTED = 3
"""Attempts in a row that every server rejects before a connection ends."""


@dataclass(frozen=True)
class BusSettings:
    """Where the bus is and who we are on it; times in seconds."""

    url: str = field(repr=False)
    """One server, or the servers of a cluster with commas between them."""
    credentials: Credentials | None = field(default=None, repr=False)
    """Who we are; none on a bus without users."""
    ca: Path | None = None
    """PEM file of the CA of the servers' certificates, where no credentials name one."""
    connect_timeout_s: int = 10
    """One try; and all tries of the first connection together."""
    reconnect_wait_s: float = 0.2

    @property
    def servers(self) -> list[str]:
        """The URLs, one by one."""
        return [part.strip() for part in self.url.split(",") if part.strip()]

    @property
    def role(self) -> str:
        """Who we are; empty on a bus without users."""
        return self.credentials.role if self.credentials is not None else ""

    @property
    def inbox_prefix(self) -> str:
        """Where answers to us go."""
        return self.credentials.inbox_prefix if self.credentials else DEFAULT_INBOX

    @property
    def shown(self) -> str:
        """The URLs without what they hold of passwords, for messages."""
        return ",".join(re.sub(r"//[^@/]*@", "//", url) for url in self.servers)


def connection_options(
    settings: BusSettings,
    name: str,
    refusals: Refusals,
    *,
    on_closed: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Keyword arguments for `nats.connect`.

    Args:
        settings: the bus.
        name: connection name, shown in the server's monitoring.
        refusals: told of every error.
        on_closed: called when the connection is closed and will not come back.

    Raises:
        ConfigError: CA or certificate cannot be read.
    """
    options: dict[str, Any] = {
        "servers": settings.servers,
        "name": name,
        "connect_timeout": settings.connect_timeout_s,
        "max_reconnect_attempts": -1,
        "reconnect_time_wait": settings.reconnect_wait_s,
        # A server that hangs, with its sockets open, is left for another one after 15 s.
        "ping_interval": 5,
        "max_outstanding_pings": 2,
        # Nothing waits when a process ends, but the client waits for messages of the server's own
        # that came while a leader changed, which nobody takes.
        "drain_timeout": 2,
        "error_cb": refusals.heard,
        # Closing on purpose calls this too, so it is no alarm: the error callback gives that.
        "disconnected_cb": _note(name, logging.INFO, "not connected to the bus"),
        "reconnected_cb": refusals.accepted,
        "closed_cb": _closed(name, on_closed),
    }
    return options | _identity(settings)


def _identity(settings: BusSettings) -> dict[str, Any]:
    """Who we are, and whom we believe."""
    known = settings.credentials
    if known is None:
        return {} if settings.ca is None else {"tls": _context(settings.ca)}
    options: dict[str, Any] = {"inbox_prefix": settings.inbox_prefix}
    if known.seed:
        options["nkeys_seed_str"] = known.seed
    else:
        options |= {"user": known.role, "password": known.password}
    context = known.tls() or (_context(settings.ca) if settings.ca is not None else None)
    if context is not None:
        options |= {"tls": context, "tls_handshake_first": known.tls_first}
        logging.getLogger("asyncio").addFilter(_is_news)
    return options


def _is_news(record: logging.LogRecord) -> bool:
    """Whether asyncio says more than that a stream over TLS cannot stay half open."""
    return "eof_received" not in str(record.msg)


def _context(ca: Path) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca))
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(f"[bus] ca: {ca} cannot be read as a CA: {error}") from error


async def connect(
    settings: BusSettings,
    name: str,
    *,
    on_closed: Callable[[], None] | None = None,
    on_refused: Callable[[str, str], None] | None = None,
    numbers: Numbers | None = None,
) -> Client:
    """Connect, or say what to check.

    Args:
        settings: the bus.
        name: connection name, shown in the server's monitoring.
        on_closed: called when the connection is closed and will not come back.
        on_refused: called with verb and subject of whatever the bus refuses (see `Refusals`).
        numbers: counts what befalls the connection.

    Raises:
        BusLostError: nothing answers at the URL.
        RefusedError: it does not accept our credentials, or we do not accept its certificate.
    """
    refusals = Refusals(name, settings.role, on_refused)
    options = connection_options(settings, name, refusals, on_closed=on_closed)
    if numbers is not None:
        options = counted(options, numbers)
    # While connecting for the first time, endless attempts would hide a wrong URL.
    first_try = options | {"max_reconnect_attempts": 3}
    try:
        client = await _first(first_try, settings, refusals)
    except (OSError, nats.errors.Error, TimeoutError) as error:
        why = refusals.rejection or refusals.last_error or error
        raise _failure(settings, why) from error
    client.options["max_reconnect_attempts"] = -1
    attach(client, refusals)
    mark_echoes(client)
    refusals.end_at(_REJECTED * len(settings.servers), client.close)
    return client


async def _first(options: dict[str, Any], settings: BusSettings, refusals: Refusals) -> Client:
    """The first connection; an end as soon as every server was tried and none can accept us."""
    refusals.connecting = True
    connecting = asyncio.create_task(nats.connect(**options))
    try:
        async with asyncio.timeout(settings.connect_timeout_s):
            while not connecting.done() and refusals.rejected < len(settings.servers):
                refusals.changed.clear()
                news = asyncio.create_task(refusals.changed.wait())
                await asyncio.wait({connecting, news}, return_when=asyncio.FIRST_COMPLETED)
                await end(news)
        if connecting.done():
            return connecting.result()
        raise TimeoutError
    finally:
        refusals.connecting = False
        await end(connecting)


def _failure(settings: BusSettings, error: BaseException) -> BusLostError | RefusedError:
    """Why there is no connection, and what to do."""
    said = str(error) or type(error).__name__
    if isinstance(error, nats.errors.AuthorizationError) or "authorization" in said.lower():
        who = f"the credentials of role {settings.role}" if settings.role else "us"
        return RefusedError(
            f"the bus at {settings.shown} refuses {who}: name the file that "
            "`ragsolver infra nats-config` wrote for this server with --creds; after a rotation "
            "of keys take the new one"
        )
    if isinstance(error, ssl.SSLCertVerificationError):
        return RefusedError(
            f"the certificate of {settings.shown} is not accepted ({error.verify_message}): "
            "check its date and its host name, and name its CA (in the credentials, or "
            "--set bus.ca=FILE)"
        )
    if isinstance(error, ssl.SSLError):
        return RefusedError(
            f"no TLS with {settings.shown} ({said}): check that this server speaks TLS, and that "
            "it accepts our certificate"
        )
    return BusLostError(
        f"no NATS server answers at {settings.shown} ({said}): "
        "start one with `ragsolver up`, or check --nats"
    )


async def settle(client: Client) -> None:
    """Wait until the server has taken in everything that this connection sent before.

    nats-py's `flush` lets its PING overtake subscriptions that are still buffered, so a message
    published right after it can be missed; a message to ourselves cannot overtake anything.

    Raises:
        nats.errors.TimeoutError: the server does not answer.
    """
    inbox = client.new_inbox()
    subscription = await client.subscribe(inbox)
    await client.publish(inbox)
    await subscription.next_msg(timeout=REQUEST_TIMEOUT_S)
    await subscription.unsubscribe()


def _note(name: str, level: int, text: str) -> Callable[[], Awaitable[None]]:
    async def _log_note() -> None:
        _log.log(level, "connection %s: %s", name, text)

    return _log_note


def _closed(name: str, on_closed: Callable[[], None] | None) -> Callable[[], Awaitable[None]]:
    async def _call_back() -> None:
        _log.info("connection %s is closed", name)
        if on_closed is not None:
            on_closed()

    return _call_back
