"""Sizes, limits and patience of a pool of Lean sessions."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class StartSettings:
    """When to try a failed start again and when to say so; times in seconds."""

    tries: int = 3
    """With no session left, so many failed starts in a row are an error for whoever waits."""
    first_delay_s: float = 1.0
    """Before a start after one that failed; doubles with every further failure."""
    longest_delay_s: float = 60.0


@dataclass(frozen=True)
class PoolSettings:
    """Sizes and limits of a pool."""

    sessions: int = 2
    recycle_checks: int = 5_000
    """A session is replaced after this many answers."""
    recycle_mb: int = 2_500
    """A session is replaced when it keeps more than this many MiB."""
    starts: StartSettings = field(default_factory=StartSettings)
