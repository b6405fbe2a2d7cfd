"""Three servers for the soak test: it is the leader that dies or hangs, and then comes back."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ragsolver_runtime.streams import EVENTS
from ragsolver_runtime.tasks import end
from suites.cluster import Cluster, cluster

_AWAY_S = 3.0


@dataclass
class ThreeServers:
    """Never more than one of them is away: two are a majority."""

    nodes: Cluster
    replicas: int = 3
    _one_away: asyncio.Lock = field(default_factory=asyncio.Lock)
    _returning: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Of all three."""
        return self.nodes.urls

    async def kill(self) -> None:
        """`kill -9` the leader of the events; it is started again a little later."""
        await self._one_away.acquire()
        leader = await self.nodes.leader(EVENTS)
        await self.nodes.kill(leader)
        self._later(self._start(leader))

    async def pause(self, seconds: float) -> None:
        """SIGSTOP, SIGCONT for the leader."""
        await self._one_away.acquire()
        leader = await self.nodes.leader(EVENTS)
        self.nodes.signal(leader, signal.SIGSTOP)
        self._later(self._wake(leader, seconds))

    async def _start(self, node: str) -> None:
        await asyncio.sleep(_AWAY_S)
        await self.nodes.start(node)
        await self.nodes.settled()
        self._one_away.release()

    async def _wake(self, node: str, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        finally:
            self.nodes.signal(node, signal.SIGCONT)
        await self.nodes.settled()
        self._one_away.release()

    def _later(self, returns: object) -> None:
        task = asyncio.ensure_future(returns)  # type: ignore[call-overload]
        self._returning.add(task)

    async def close(self) -> None:
        """Nobody comes back any more."""
        await end(*self._returning)


@asynccontextmanager
async def three_servers(root: Path) -> AsyncIterator[ThreeServers]:
    """A cluster inside the block."""
    async with cluster(root) as nodes:
        servers = ThreeServers(nodes)
        try:
            yield servers
        finally:
            await servers.close()
