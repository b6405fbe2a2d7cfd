"""The bus's clock, for times that processes on several hosts write down for each other.

The clocks of hosts may be hours apart. Shared times are the server's: it is asked now and then,
and in between the process counts seconds that nobody can set.
"""

import time
from collections.abc import Awaitable, Callable

_ASK_EVERY_S = 60.0


class ServerClock:
    """Seconds since the epoch as the server counts them; `set` it before it is read."""

    def __init__(
        self, ask: Callable[[], Awaitable[float]], seconds: Callable[[], float] = time.monotonic
    ) -> None:
        """Make a clock that was not set yet.

        Args:
            ask: what the server's clock says now.
            seconds: a counter that nobody can set.
        """
        self._ask = ask
        self._seconds = seconds
        self._ahead = 0.0
        self._set_at: float | None = None

    def __call__(self) -> float:
        """Now, on the server."""
        return self._seconds() + self._ahead

    async def set(self) -> None:
        """Ask the server, unless it was asked not long ago.

        Raises:
            BusError: the bus does not answer.
        """
        before = self._seconds()
        if self._set_at is not None and before - self._set_at < _ASK_EVERY_S:
            return
        told = await self._ask()
        self._set_at = self._seconds()
        self._ahead = told - (before + self._set_at) / 2
