"""What is said of a trace in which a rule does not hold."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Breach:
    """A rule that does not hold."""

    rule: str
    """`gap`, `causation`, `budget`, `order`, `proof`, `fold` or `count`."""
    message: str
    event_id: str | None = None
    """The event that shows it, where there is one."""
