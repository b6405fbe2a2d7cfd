from pathlib import Path

import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli import worker as worker_module
from ragsolver_runtime.cli.worker import worker
from ragsolver_runtime.errors import BusError, ConfigError, DriftError, PermanentError
from ragsolver_runtime.worker import WorkerSpec


@pytest.fixture(autouse=True)
def no_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module.logs, "set_up", lambda *_, **__: None)
    monkeypatch.setattr(worker_module, "load_tables", lambda *_: {"verifier": {"sessions": 2}})


def test_the_worker_gets_its_own_table_and_its_exit_code_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = {}

    async def _run(spec: WorkerSpec, app: object, table: object) -> int:
        seen[spec] = table
        return 3

    monkeypatch.setattr(worker_module, "load_role", lambda role: f"spec of {role}")
    monkeypatch.setattr(worker_module, "run_worker", _run)
    done = CliRunner().invoke(worker, ["verifier", "--nats", "nats://x"])
    assert done.exit_code == 3
    assert seen == {"spec of verifier": {"sessions": 2}}


def test_without_a_bus_it_says_what_to_start(tmp_path: Path) -> None:
    done = CliRunner().invoke(worker, ["verifier", "--data", str(tmp_path)])
    assert isinstance(done.exception, BusError)
    assert "ragsolver up" in str(done.exception)


def test_an_unknown_role_names_the_known_ones_before_a_bus_is_looked_for(tmp_path: Path) -> None:
    done = CliRunner().invoke(worker, ["poet", "--data", str(tmp_path)])
    assert isinstance(done.exception, ConfigError)
    assert "intake" in str(done.exception)


@pytest.mark.parametrize("kind", [PermanentError, DriftError])
def test_what_another_start_cannot_mend_has_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    async def _run(*_: object) -> int:
        raise kind("the index speaks of another Lean")

    monkeypatch.setattr(worker_module, "load_role", lambda role: role)
    monkeypatch.setattr(worker_module, "run_worker", _run)
    done = CliRunner().invoke(worker, ["verifier", "--nats", "nats://x"])
    assert done.exit_code == 2
    assert done.output == "error: the index speaks of another Lean\n"
