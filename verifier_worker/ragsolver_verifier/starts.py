"""Starts that fail: how long to wait before the next one, and what to tell those who wait."""

from ragsolver_verifier.errors import NoSessionError
from ragsolver_verifier.pool_settings import StartSettings


class FailedStarts:
    """Failed starts of a pool since the last one that succeeded."""

    def __init__(self, settings: StartSettings) -> None:
        self._settings = settings
        self._in_a_row = 0
        self._last: Exception | None = None

    def note(self, error: Exception) -> int:
        """One more; returns how many in a row."""
        self._in_a_row += 1
        self._last = error
        return self._in_a_row

    def forget(self) -> None:
        """A start succeeded."""
        self._in_a_row = 0

    @property
    def delay_s(self) -> float:
        """Seconds until the next try."""
        doubled = self._settings.first_delay_s * 2.0 ** min(max(0, self._in_a_row - 1), 30)
        return min(doubled, self._settings.longest_delay_s)

    @property
    def too_many(self) -> bool:
        """Whether it is time to tell."""
        return self._in_a_row >= self._settings.tries

    def error(self) -> NoSessionError:
        """What to tell."""
        return NoSessionError(
            f"no Lean session is left and {self._in_a_row} starts in a row failed, the last one "
            f"with: {self._last}; `ragsolver doctor` says what is wrong, starts go on in the "
            "background"
        )
