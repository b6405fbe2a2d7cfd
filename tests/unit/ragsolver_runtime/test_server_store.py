import asyncio
import logging
from types import SimpleNamespace

import pytest

from ragsolver_runtime import server_store as module
from ragsolver_runtime.server_store import StoreWatch, store_limit
from ragsolver_runtime.testing import until

GIB = 1024**3
FAILED = "[1] [ERR] JetStream failed to store a msg on stream S: no space left on device\n"


def free(monkeypatch, size):
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: SimpleNamespace(free=size))


@pytest.mark.parametrize(
    ("room", "stored", "expected"),
    [(100 * GIB, 0, 8 * GIB), (2 * GIB, 0, int(1.8 * GIB)), (0, 1000, 900)],
)
def test_the_store_never_fills_the_disk(tmp_path, monkeypatch, room, stored, expected):
    (tmp_path / "jetstream").mkdir()
    (tmp_path / "jetstream" / "block").write_bytes(b"x" * stored)
    free(monkeypatch, room)
    assert store_limit(tmp_path, 8 * GIB) == expected


async def test_a_failed_write_is_said_and_mended_once_there_is_room(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(module, "_LOOK_EVERY_S", 0.001)
    log = tmp_path / "server.log"
    log.write_text(FAILED)  # of an earlier life
    free(monkeypatch, 9)
    watch = StoreWatch(log, room=10)
    mended = asyncio.create_task(watch.until_mended())
    await asyncio.sleep(0.02)
    assert not caplog.records
    with log.open("a") as stream:
        stream.write("[1] [INF] fine\n" + FAILED)
    await until(lambda: bool(caplog.records))
    assert (caplog.records[0].levelno, str(tmp_path)) == (logging.CRITICAL, str(log.parent))
    await asyncio.sleep(0.02)
    assert not mended.done()
    free(monkeypatch, 10)
    async with asyncio.timeout(5):
        await mended


async def test_a_log_that_was_rotated_is_read_from_its_beginning(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_LOOK_EVERY_S", 0.001)
    log = tmp_path / "server.log"
    log.write_text("fine\n" * 100)
    free(monkeypatch, GIB)
    watch = StoreWatch(log, room=10)
    log.write_text(FAILED)
    async with asyncio.timeout(5):
        await watch.until_mended()


async def test_a_limit_of_a_full_disk_is_mended_once_another_would_be_higher(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(module, "_LOOK_EVERY_S", 0.001)
    log = tmp_path / "server.log"
    log.write_text("")
    watch = StoreWatch(log, room=10)
    free(monkeypatch, 20)
    assert watch.limit(GIB) == 18
    log.write_text("[1] [ERR] JetStream file resource limits exceeded for server\n")
    free(monkeypatch, 30)
    mended = asyncio.create_task(watch.until_mended())
    await until(lambda: "disk of" in caplog.text)
    await asyncio.sleep(0.02)
    assert not mended.done()
    free(monkeypatch, 40)
    async with asyncio.timeout(5):
        await mended


async def test_a_store_that_is_as_large_as_it_may_be_is_said_to_be_full(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(module, "_LOOK_EVERY_S", 0.001)
    log = tmp_path / "server.log"
    log.write_text("")
    free(monkeypatch, 100 * GIB)
    watch = StoreWatch(log, room=10)
    assert watch.limit(GIB) == GIB
    log.write_text("[1] [ERR] JetStream file resource limits exceeded for server\n")
    mended = asyncio.create_task(watch.until_mended())
    await until(lambda: "store_mib" in caplog.text)
    await asyncio.sleep(0.02)
    assert not mended.done()
    mended.cancel()
