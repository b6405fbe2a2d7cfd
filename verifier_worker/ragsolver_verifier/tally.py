"""What has happened in a pool of sessions, counted."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ragsolver_verifier.session import LeanSession


@dataclass(frozen=True)
class PoolTally:
    """Counts since the pool was opened.

    Attributes:
        starts: sessions that became warm.
        failed_starts: starts that did not get that far.
        deaths: sessions that ended by themselves, or were killed at a limit or by a cancel.
        recycles: sessions replaced for their number of answers or their size.
        requests: requests answered.
        header_hits: those of them whose header's environment was there already.
        header_misses: those for which it was made.
    """

    starts: int = 0
    failed_starts: int = 0
    deaths: int = 0
    recycles: int = 0
    requests: int = 0
    header_hits: int = 0
    header_misses: int = 0

    @property
    def header_hit_rate(self) -> float:
        """Hits of the header cache among all requests with a header, 0 to 1."""
        asked = self.header_hits + self.header_misses
        return self.header_hits / asked if asked else 0.0

    def started(self) -> "PoolTally":
        """One more session is warm."""
        return replace(self, starts=self.starts + 1)

    def failed(self) -> "PoolTally":
        """One more start failed."""
        return replace(self, failed_starts=self.failed_starts + 1)

    def died(self) -> "PoolTally":
        """One more session died."""
        return replace(self, deaths=self.deaths + 1)

    def recycled(self) -> "PoolTally":
        """One more session was replaced."""
        return replace(self, recycles=self.recycles + 1)

    def after(self, session: LeanSession) -> "PoolTally":
        """With the answers of a session that gives no more."""
        return replace(
            self,
            requests=self.requests + session.requests,
            header_hits=self.header_hits + session.header_hits,
            header_misses=self.header_misses + session.header_misses,
        )

    def with_sessions(self, sessions: Iterable[LeanSession]) -> "PoolTally":
        """With the answers of sessions that still work."""
        total = self
        for session in list(sessions):
            total = total.after(session)
        return total

    def __str__(self) -> str:
        return (
            f"{self.requests} answers, header cache {100 * self.header_hit_rate:.1f} %, "
            f"{self.starts} starts, {self.recycles} recycled, {self.deaths} died, "
            f"{self.failed_starts} failed starts"
        )
