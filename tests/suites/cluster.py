"""A cluster of three real nats-servers on the loopback, with JetStream and fixed ports."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import nats

from ragsolver_runtime import child_process
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.server import server_binary
from ragsolver_runtime.testing import until

NODES = ("n1", "n2", "n3")


@dataclass
class Cluster:
    """Open one with `cluster`."""

    root: Path
    ports: dict[str, int] = field(default_factory=dict)
    """Client port by node."""
    routes: dict[str, int] = field(default_factory=dict)
    running: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)

    @property
    def urls(self) -> str:
        """As `--nats` takes them."""
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports.values())

    async def start(self, node: str) -> None:
        """Start a node on its own data; `settled` says when the cluster has taken it up."""
        file = self.root / f"{node}.conf"
        file.write_text(json.dumps(self._config(node)))
        log = (self.root / f"{node}.out").open("ab")
        with log:
            self.running[node] = await child_process.spawn(
                [str(server_binary()), "-c", str(file)], stdout=log, stderr=log
            )

    def _config(self, node: str) -> dict[str, object]:
        routes = [f"nats://127.0.0.1:{port}" for port in self.routes.values()]
        return {
            "server_name": node,
            "host": "127.0.0.1",
            "port": self.ports[node],
            "log_file": str(self.root / f"{node}.log"),
            "cluster": {
                "name": "rs",
                "host": "127.0.0.1",
                "port": self.routes[node],
                "routes": routes,
                "pool_size": 1,
            },
            "jetstream": {"store_dir": str(self.root / node), "max_file_store": 8 * 1024**3},
        }

    async def kill(self, node: str) -> None:
        """`kill -9`."""
        process = self.running.pop(node)
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()

    def signal(self, node: str, number: signal.Signals) -> None:
        """SIGSTOP: the node hangs with its sockets open; SIGCONT: it goes on."""
        os.kill(self.running[node].pid, number)

    async def leader(self, stream: str) -> str:
        """The node that leads a stream now."""
        found = ""

        async def _known() -> bool:
            nonlocal found
            client = await connect(BusSettings(self.urls), "cluster")
            try:
                info = await client.jetstream(timeout=2).stream_info(stream)
                found = (info.cluster.leader if info.cluster else None) or ""
            except (nats.errors.Error, TimeoutError):
                return False
            finally:
                await client.close()
            return found in self.running

        await until(_known, timeout_s=40)
        return found

    async def settled(self) -> None:
        """Wait until JetStream answers through every node that runs."""
        for node in self.running:
            await until(lambda node=node: self._answers(node), timeout_s=40, every_s=0.1)

    async def _answers(self, node: str) -> bool:
        try:
            client = await nats.connect(
                f"nats://127.0.0.1:{self.ports[node]}",
                allow_reconnect=False,
                connect_timeout=1,
                error_cb=_quiet,
            )
        except (OSError, nats.errors.Error, TimeoutError):
            return False
        try:
            await client.jetstream(timeout=1).account_info()
        except (nats.errors.Error, TimeoutError):
            return False
        finally:
            await client.close()
        return True


@asynccontextmanager
async def cluster(root: Path) -> AsyncIterator[Cluster]:
    """Three nodes inside the block."""
    made = Cluster(root)
    ports = _free_ports(2 * len(NODES))
    made.ports = dict(zip(NODES, ports[: len(NODES)], strict=True))
    made.routes = dict(zip(NODES, ports[len(NODES) :], strict=True))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(_stop, made)
        for node in NODES:
            await made.start(node)
        await made.settled()
        yield made


async def _stop(made: Cluster) -> None:
    for node, process in made.running.items():
        if process.returncode is None:
            made.signal(node, signal.SIGKILL)
        await process.wait()


def _free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    try:
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]
    finally:
        for each in held:
            each.close()


async def _quiet(_: Exception) -> None:
    """A node that starts refuses; nats-py would log each time."""
