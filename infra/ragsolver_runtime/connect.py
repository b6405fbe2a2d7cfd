"""Connections to NATS that never give up quietly.

The server tells the reason of a refusal only in the error callback, and a client whose reconnect
attempts are used up lives on without ever consuming again. So attempts are unlimited, every
error is logged as an alarm, and a connection that closes for good calls back.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import nats
from nats.aio.client import Client

from ragsolver_runtime.errors import BusLostError

_log = logging.getLogger(__name__)

REQUEST_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class BusSettings:
    """Where the bus is and who we are on it; times in seconds."""

    url: str
    """One server, or the servers of a cluster with commas between them."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    connect_timeout_s: int = 10
    reconnect_wait_s: float = 0.2

    @property
    def servers(self) -> list[str]:
        """The URLs, one by one."""
        return [part.strip() for part in self.url.split(",") if part.strip()]


def connection_options(
    settings: BusSettings,
    name: str,
    *,
    on_closed: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Keyword arguments for `nats.connect` and for FastStream's broker alike.

    Args:
        settings: the bus.
        name: connection name, shown in the server's monitoring.
        on_closed: called when the connection is closed and will not come back.
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
        "error_cb": _alarm(name),
        # Closing on purpose calls this too, so it is no alarm: the error callback gives that.
        "disconnected_cb": _note(name, logging.INFO, "not connected to the bus"),
        "reconnected_cb": _note(name, logging.WARNING, "connected to the bus again"),
        "closed_cb": _closed(name, on_closed),
    }
    if settings.user is not None:
        options |= {"user": settings.user, "password": settings.password}
    return options


async def connect(
    settings: BusSettings, name: str, *, on_closed: Callable[[], None] | None = None
) -> Client:
    """Connect, or say what to check.

    Raises:
        BusLostError: nothing answers at the URL, or it refuses us.
    """
    options = connection_options(settings, name, on_closed=on_closed)
    # While connecting for the first time, endless attempts would hide a wrong URL.
    first_try = options | {"max_reconnect_attempts": 3}
    try:
        client = await nats.connect(**first_try)
    except (OSError, nats.errors.Error, TimeoutError) as error:
        raise BusLostError(
            f"no NATS server answers at {settings.url} ({error or type(error).__name__}): "
            "start one with `ragsolver up`, or check --nats"
        ) from error
    client.options["max_reconnect_attempts"] = -1
    return client


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


def _alarm(name: str) -> Callable[[Exception], Awaitable[None]]:
    async def _log_error(error: Exception) -> None:
        _log.error("bus alarm on connection %s: %s", name, error or type(error).__name__)

    return _log_error


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
