"""The limits' keys in memory, with a clock of their own."""

from dataclasses import dataclass, field

from ragsolver_runtime.errors import BusError
from ragsolver_runtime.llm.limits import ABSENT, Held


@dataclass
class Clock:
    """A clock that a test moves."""

    time: float = 1_000.0

    def __call__(self) -> float:
        return self.time


@dataclass
class MemoryLimits:
    """Behaves as `JetStreamLimits` does; `away` makes it fail as a lost bus does."""

    clock: Clock = field(default_factory=Clock)
    away: bool = False
    entries: dict[str, tuple[Held, float | None]] = field(default_factory=dict)
    revisions: int = 0

    def _there(self) -> None:
        if self.away:
            raise BusError("the bus does not answer")
        now = self.clock()
        self.entries = {
            key: (held, until)
            for key, (held, until) in self.entries.items()
            if until is None or until > now
        }

    async def get(self, key: str) -> Held:
        self._there()
        return self.entries.get(key, (ABSENT, None))[0]

    async def put(
        self, key: str, value: bytes, revision: int, ttl_s: int | None = None
    ) -> int | None:
        if (await self.get(key)).revision != revision:
            return None
        self.revisions += 1
        until = None if ttl_s is None else self.clock() + ttl_s
        self.entries[key] = (Held(value, self.revisions), until)
        return self.revisions

    async def drop(self, revision: int) -> None:
        self._there()
        self.entries = {k: v for k, v in self.entries.items() if v[0].revision != revision}

    async def keys(self, prefix: str) -> set[str]:
        self._there()
        return {key for key in self.entries if key.startswith(f"{prefix}.")}
