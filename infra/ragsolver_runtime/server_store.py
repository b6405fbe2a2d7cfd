"""The embedded server's store: how much it may hold, and what to do once the disk was full.

A stream that could not write once refuses everything from then on, also when there is room
again, until its server is started again, and its publishers see nothing but timeouts (measured
with nats-server 2.15.1). A server that was started on a full disk has a limit that is too low for
ever. The server's log says both.
"""

import asyncio
import logging
import shutil
from pathlib import Path

_log = logging.getLogger(__name__)

_FAILED = (b"failed to store a msg", b"no space left on device")
_LIMITED = b"resource limits exceeded"
_LOOK_EVERY_S = 0.5


def store_limit(folder: Path, most: int) -> int:
    """Bytes that the store in a data folder may use: `most`, but never what would fill the disk.

    A full disk shows up to publishers as mere timeouts, a full store as a clear refusal.
    """
    store = folder / "jetstream"
    used = sum(f.stat().st_size for f in store.rglob("*") if f.is_file()) if store.is_dir() else 0
    free = shutil.disk_usage(folder).free
    return min(most, int((free + used) * 0.9))


class StoreWatch:
    """Looks whether a server can write, and when starting it again would help."""

    def __init__(self, log: Path, room: int) -> None:
        """Begin at the end of the log.

        Args:
            log: the server's own, on the disk of its store.
            room: bytes that must have become free before the server is started again.
        """
        self._server_log = log
        self._folder = log.parent
        self._room = room
        self._limit = self._most = 0
        self._read_to = self._size()

    def limit(self, most: int) -> int:
        """`store_limit` for a server that starts now; later ones are compared with it."""
        self._limit, self._most = store_limit(self._folder, most), most
        return self._limit

    async def until_mended(self) -> None:
        """Return once the disk was full and has room again: the server must be restarted."""
        while not (said := self._news()):  # noqa: ASYNC110 - a file tells nobody
            await asyncio.sleep(_LOOK_EVERY_S)
        limited = not any(words in said for words in _FAILED)
        if limited and self._limit == self._most:
            advice = "its store is full: raise store_mib in the [bus] settings"
        else:
            advice = (
                f"the disk of {self._folder} is full: free {self._room // 1024**2} MiB there, and "
                "it is started again by itself"
            )
        _log.critical("nats-server cannot write, %s. Nothing that is stored is lost", advice)
        while not self._has_room(limited=limited):  # noqa: ASYNC110 - nor does a disk
            await asyncio.sleep(_LOOK_EVERY_S)
        self._read_to = self._size()

    def _has_room(self, *, limited: bool) -> bool:
        if limited:
            return store_limit(self._folder, self._most) >= self._limit + self._room
        return shutil.disk_usage(self._folder).free >= self._room

    def _news(self) -> bytes:
        """What the server has said of failed writes since the last look, and around it."""
        size = self._size()
        begin = self._read_to if size >= self._read_to else 0  # it was rotated
        self._read_to = size
        if size == begin:
            return b""
        try:
            with self._server_log.open("rb") as log:
                log.seek(begin)
                said = log.read(size - begin)
        except OSError:
            return b""
        return said if any(words in said for words in (*_FAILED, _LIMITED)) else b""

    def _size(self) -> int:
        return self._server_log.stat().st_size if self._server_log.is_file() else 0
