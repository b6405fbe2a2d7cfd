"""FastStream's broker on a connection of ours: same identity, same alarms, same patience."""

from collections.abc import Callable

from faststream.nats import NatsBroker
from nats.aio.client import Client

from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.telemetry.watching import Numbers


class BusBroker(NatsBroker):
    """A broker that connects as every other process of the product does."""

    def __init__(
        self,
        settings: BusSettings,
        name: str,
        *,
        drain_s: float,
        on_closed: Callable[[], None],
        on_refused: Callable[[str, str], None],
        numbers: Numbers | None = None,
    ) -> None:
        """Nothing is connected yet.

        Args:
            settings: the bus.
            name: connection name, shown in the server's monitoring.
            drain_s: seconds that running work gets at the end.
            on_closed: called when the connection is closed and will not come back.
            on_refused: called with verb and subject of whatever the bus refuses.
            numbers: counts what befalls the connection.
        """
        self.bus, self._name = settings, name
        self._on_closed, self._on_refused = on_closed, on_refused
        self._numbers = numbers
        super().__init__(
            settings.shown.split(","),
            graceful_timeout=drain_s,
            logger=None,
            apply_types=False,  # its injection takes four thread hops per message
        )

    async def _connect(self) -> Client:
        client = await connect(
            self.bus,
            self._name,
            on_closed=self._on_closed,
            on_refused=self._on_refused,
            numbers=self._numbers,
        )
        self.config.connect(client)
        return client
