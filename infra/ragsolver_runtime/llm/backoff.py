"""How long to wait before a request is tried again."""

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Bounded and doubling, never shorter than a server asks, in seconds."""

    tries: int = 4
    """Tries of one request at most, each a call of the budget."""
    first_delay_s: float = 1.0
    longest_delay_s: float = 60.0
    """Longest wait, also where the server asks for more."""
    jitter: Callable[[], float] = random.random
    """A number from 0 to 1; workers that failed together do not come back together."""

    def delay_s(self, tried: int, retry_after_s: float | None) -> float:
        """Seconds before the next try.

        Args:
            tried: tries so far, from 1.
            retry_after_s: what the server asks for.
        """
        doubled = self.first_delay_s * 2.0 ** min(tried - 1, 30)
        wait = doubled * (0.5 + 0.5 * self.jitter())
        return min(max(wait, retry_after_s or 0.0), self.longest_delay_s)
