from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli import up as up_module
from ragsolver_runtime.cli.up import up
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.hosting import InterruptedRunError
from ragsolver_runtime.workspace import Workspace
from suites.memory_bus import MemoryBus, opens


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "plain.toml"
    path.write_text('name = "plain"\n')
    return str(path)


def test_the_endpoint_is_there_while_it_runs(
    tmp_path: Path, config: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, seen = Workspace(tmp_path / "data"), []

    @asynccontextmanager
    async def _workers(bus, counts, settings, logs, inbox, **told):
        seen.append((counts["verifier"], inbox))
        yield None

    async def _while_alive(work, bus, supervisor, **_) -> None:
        work.close()
        seen.append(workspace.endpoint())
        raise InterruptedRunError("interrupted")

    async def _nothing(_: object) -> None:
        pass

    monkeypatch.setattr(up_module, "embedded", opens(MemoryBus()))
    monkeypatch.setattr(up_module, "workers_on", _workers)
    monkeypatch.setattr(up_module, "while_alive", _while_alive)
    monkeypatch.setattr(up_module, "set_up_parts", _nothing)
    monkeypatch.setattr(up_module, "parse_scale", lambda _: {"verifier": 2})
    arguments = ["--data", str(workspace.data), "--config", config]
    done = CliRunner().invoke(up, arguments)
    assert done.exit_code == 0
    assert done.output.endswith("stopped\n")
    assert seen[0] == (2, config)
    assert (seen[1].url, seen[1].kind) == ("memory", "up")
    assert workspace.endpoint() is None


def test_a_wrong_configuration_starts_nothing(tmp_path: Path) -> None:
    done = CliRunner().invoke(up, ["--data", str(tmp_path), "--config", "no-such"])
    assert isinstance(done.exception, ConfigError)
    assert list(tmp_path.iterdir()) == []
