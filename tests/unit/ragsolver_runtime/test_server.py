import json
from pathlib import Path

import pytest

from ragsolver_runtime import server as module
from ragsolver_runtime.errors import ServerError
from ragsolver_runtime.server import EmbeddedServer, ServerSettings, server_binary


def test_the_wheels_binary_is_found():
    assert server_binary().name == "nats-server"


def test_without_the_wheel_the_command_that_installs_it_is_named(monkeypatch):
    def missing(name):
        raise module.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(module.importlib.metadata, "files", missing)
    monkeypatch.setattr(module.shutil, "which", lambda name: None)
    monkeypatch.setattr(module.sysconfig, "get_path", lambda name: "/nowhere")
    with pytest.raises(ServerError, match="pip install"):
        server_binary()


def test_before_the_start_there_is_no_address(tmp_path):
    server = EmbeddedServer(ServerSettings(data_dir=tmp_path))
    with pytest.raises(ServerError, match="not been started"):
        _ = server.url
    with pytest.raises(ServerError, match="not been started"):
        _ = server.pid


def test_the_configuration_says_where_how_much_and_how_safely(tmp_path):
    settings = ServerSettings(data_dir=tmp_path, port=4333, sync_interval="always")
    server = EmbeddedServer(settings)
    server._write_config()
    config = json.loads((tmp_path / "nats-server.conf").read_text())
    assert (config["host"], config["port"]) == ("127.0.0.1", 4333)
    assert config["jetstream"]["sync_interval"] == "always"
    assert config["jetstream"]["store_dir"] == str(Path(tmp_path).resolve())
    assert 0 < config["jetstream"]["max_file_store"] <= 8 * 1024**3
