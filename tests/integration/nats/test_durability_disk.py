"""A disk that is full: said clearly, nothing stored is lost, and over once there is room."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ragsolver_contracts.problem import Problem
from ragsolver_contracts.testing import problem
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.errors import PublishError, StorageFullError
from ragsolver_runtime.publish import Publisher, PublishSettings
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.server import EmbeddedServer, ServerSettings
from ragsolver_runtime.streams import StreamSettings, provision
from ragsolver_runtime.testing import start_run, submit_problem, until

pytestmark = pytest.mark.connected

MIB = 1024**2
SMALL = StreamSettings(1, 8 * MIB, *[MIB] * 5)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 20 MiB."""
    try:
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(tmp_path)],
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no right to mount a small disk")
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=False)


def long(name: str) -> Problem:
    """One that does not fit into what is left of a page of the disk."""
    return problem(name, informal_statement="x" * 10_000)


def fill(disk: Path) -> Path:
    """Leave not a single byte."""
    file = disk / "filler"
    descriptor = os.open(file, os.O_CREAT | os.O_WRONLY)
    try:
        for size in (65_536, 4_096, 512):
            with suppress(OSError):
                while True:
                    os.write(descriptor, b"x" * size)
    finally:
        os.close(descriptor)
    return file


async def test_a_full_disk_is_said_and_work_goes_on_once_there_is_room(disk, caplog):
    settings = ServerSettings(data_dir=disk / "bus", room_after_full=4 * MIB)
    async with EmbeddedServer(settings) as server:
        client = await connect(BusSettings(server.url), "test")
        await provision(client.jetstream(timeout=5), SMALL)
        await start_run(Publisher(client), "r1")
        impatient = Publisher(client, PublishSettings(timeout_s=0.3, budget_s=1.0))
        patient = Publisher(client)

        filler = fill(disk)
        with pytest.raises(PublishError, match="its disk is not full"):
            await submit_problem(impatient, "r1", long("a"))
        await until(lambda: "is full: free 4 MiB there" in caplog.text)
        filler.unlink()
        await submit_problem(patient, "r1", long("a"))
        assert server.restarts == 1

        # A server that is started while the disk is full may use nothing at first.
        filler = fill(disk)
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda: server.restarts == 2)
        with pytest.raises((PublishError, StorageFullError)):
            await submit_problem(impatient, "r1", long("b"))
        filler.unlink()
        await until(lambda: server.restarts == 3)
        await submit_problem(patient, "r1", long("b"))
        stored = [event.problem_id async for event in EventReader(client).read_run("r1")]
        await client.close()
    assert stored == ["_run", "a", "b"]
