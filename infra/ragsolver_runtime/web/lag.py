"""How far each role is behind the stream."""

from typing import Any

from nats import errors as nats_errors
from nats.aio.client import Client

from ragsolver_contracts.base import Model
from ragsolver_runtime.streams import EVENTS, role_of

ORDER = ("planner", "retriever", "generator", "formalizer", "verifier", "critic")


class Lag(Model):
    """The deliveries of one role."""

    role: str
    queue: str
    """Name of the durable: a role may have one more, for new problems."""
    waiting: int
    """Stored events that are not delivered yet."""
    working: int
    """Delivered and not acknowledged."""
    redelivered: int
    asking: int
    """Requests for work that wait at the server: about one per idle process."""


async def lags_of(client: Client, timeout_s: float = 3.0) -> tuple[Lag, ...]:
    """The lag of every role that has a consumer, in the order of the work.

    Raises:
        TimeoutError: the server did not answer.
    """
    try:
        found = await client.jetstream(timeout=timeout_s).consumers_info(EVENTS)
    except nats_errors.Error as error:
        raise TimeoutError(f"the bus did not say how far its consumers are: {error}") from error
    lags = [_lag(info) for info in found if info.config.durable_name]
    return tuple(sorted(lags, key=lambda lag: (_place(lag.role), lag.queue)))


def _lag(info: Any) -> Lag:
    name = str(info.config.durable_name)
    return Lag(
        role=role_of(name),
        queue=name,
        waiting=info.num_pending or 0,
        working=info.num_ack_pending or 0,
        redelivered=info.num_redelivered or 0,
        asking=info.num_waiting or 0,
    )


def _place(role: str) -> int:
    return ORDER.index(role) if role in ORDER else len(ORDER)
