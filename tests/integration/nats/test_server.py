"""The embedded server's life on the real binary."""

import asyncio
import os
import signal

import nats
import pytest

from ragsolver_runtime.child_process import spawn, stop
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.errors import BusLostError, ServerError
from ragsolver_runtime.server import EmbeddedServer, ServerSettings, server_binary
from ragsolver_runtime.testing import isolated_server, until

pytestmark = pytest.mark.connected


async def test_data_survives_a_stop_and_a_start(tmp_path):
    async with isolated_server(tmp_path) as server:
        client = await nats.connect(server.url)
        await client.jetstream().add_stream(name="S", subjects=["s"])
        await client.jetstream().publish("s", b"kept")
        await client.close()
        pid = server.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    async with isolated_server(tmp_path) as server:
        client = await nats.connect(server.url)
        message = await client.jetstream().get_last_msg("S", "s")
        await client.close()
    assert message.data == b"kept"


async def test_killed_it_comes_back_on_the_same_port(tmp_path):
    async with isolated_server(tmp_path) as server:
        url, pid = server.url, server.pid
        os.kill(pid, signal.SIGKILL)
        await until(lambda: server.restarts == 1)
        assert server.url == url
        assert server.pid != pid
        client = await connect(BusSettings(url), "test")
        await client.close()


async def test_a_folder_in_use_is_refused_and_the_owner_is_named(tmp_path):
    async with isolated_server(tmp_path) as server:
        with pytest.raises(ServerError, match=r"in use .* --nats URL"):
            async with isolated_server(tmp_path):
                pytest.fail("two servers on one folder")
        client = await connect(BusSettings(server.url), "test")
        await client.close()


async def test_an_orphaned_server_on_the_folder_is_named_by_its_process_id(tmp_path):
    async with isolated_server(tmp_path):
        pass  # writes the configuration
    (tmp_path / "nats-server.pid").write_text("")
    orphan = await spawn([str(server_binary()), "-c", str(tmp_path / "nats-server.conf")])
    try:
        pid_file = tmp_path / "nats-server.pid"
        await until(lambda: pid_file.read_text() == str(orphan.pid))
        with pytest.raises(ServerError, match=f"process id {orphan.pid}"):
            async with isolated_server(tmp_path):
                pytest.fail("two servers on one folder")
    finally:
        await stop(orphan, grace_s=5)


async def test_a_server_that_cannot_start_says_why(tmp_path):
    settings = ServerSettings(data_dir=tmp_path, sync_interval="often")
    with pytest.raises(ServerError, match="sync_interval"):
        async with EmbeddedServer(settings):
            pytest.fail("started with a broken configuration")
    async with isolated_server(tmp_path):
        pass  # the folder was given back


async def test_a_server_that_may_not_restart_reports_its_end(tmp_path):
    async with EmbeddedServer(ServerSettings(data_dir=tmp_path, restart=False)) as server:
        os.kill(server.pid, signal.SIGKILL)
        assert await asyncio.wait_for(server.wait(), 5) == -signal.SIGKILL


async def test_nothing_at_the_url_is_said_within_seconds():
    with pytest.raises(BusLostError, match="ragsolver up"):
        await connect(BusSettings("nats://127.0.0.1:9"), "test")
