"""Counts what befalls a connection to the bus, beside what `connect` logs of it."""

from collections.abc import Awaitable, Callable
from typing import Any

from nats import errors

from ragsolver_runtime.telemetry.watching import Numbers

PERMISSION = "permission"
"""The server refused a subject: the process wants what its role may not have."""
SLOW = "slow_consumer"
ERROR = "error"
DISCONNECTED = "disconnected"
RECONNECTED = "reconnected"

Callback = Callable[..., Awaitable[None]]


def counted(options: dict[str, Any], numbers: Numbers) -> dict[str, Any]:
    """Connection options whose callbacks count as well.

    Args:
        options: of `connect.connection_options`.
        numbers: what counts.
    """

    def _with(callback: Callback | None, kind_of: Callable[..., str]) -> Callback:
        async def _call(*arguments: Any) -> None:
            numbers.alarm(kind_of(*arguments))
            if callback is not None:
                await callback(*arguments)

        return _call

    return options | {
        "error_cb": _with(options.get("error_cb"), kind),
        "disconnected_cb": _with(options.get("disconnected_cb"), lambda: DISCONNECTED),
        "reconnected_cb": _with(options.get("reconnected_cb"), lambda: RECONNECTED),
    }


def kind(error: Exception) -> str:
    """What an error of the connection is, in one word."""
    if "permissions violation" in str(error).lower():
        return PERMISSION
    return SLOW if isinstance(error, errors.SlowConsumerError) else ERROR
