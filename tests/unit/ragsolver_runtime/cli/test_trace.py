import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragsolver_runtime.cli import trace as trace_module
from ragsolver_runtime.cli.trace import trace
from ragsolver_runtime.errors import BusError, ConfigError
from ragsolver_runtime.recheck import RecheckItem, RecheckResult
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import sample_run


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus(sample_run())
    for name in ("existing", "embedded", "connected"):
        monkeypatch.setattr(trace_module, name, opens(made))
    return made


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(trace, list(arguments))


@pytest.fixture
def file(bus: MemoryBus, tmp_path: Path) -> Path:
    target = tmp_path / "run.jsonl"
    assert invoke("export", "-o", str(target)).exit_code == 0
    assert len(target.read_text().splitlines()) == len(bus.events) + 1
    return target


def installed(monkeypatch: pytest.MonkeyPatch, *, accepted: bool) -> list[str]:
    asked: list[str] = []

    def _recheck(items: Sequence[RecheckItem]) -> list[RecheckResult]:
        asked.extend(item.problem_id for item in items)
        return [RecheckResult(i.problem_id, accepted=accepted, detail="axiom") for i in items]

    monkeypatch.setattr(trace_module, "installed_recheck", lambda: _recheck)
    return asked


def test_export_to_standard_output_is_the_same(file: Path) -> None:
    assert invoke("export").stdout == file.read_text()


def test_export_leaves_no_half_file(
    bus: MemoryBus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def _breaks(*_: object):
        raise BusError("gone")
        yield

    monkeypatch.setattr(trace_module, "export_run", _breaks)
    target = tmp_path / "half.jsonl"
    assert isinstance(invoke("export", "-o", str(target)).exception, BusError)
    assert list(tmp_path.iterdir()) == []


def test_import_into_an_empty_bus(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = MemoryBus()
    monkeypatch.setattr(trace_module, "embedded", opens(empty))
    done = invoke("import", str(file), "--data", str(tmp_path / "data"))
    assert done.output.startswith(f"{len(sample_run())} events stored, 0 were there already")
    assert list(empty.events) == [event.id for event in sample_run()]


def test_import_of_a_broken_trace_changes_nothing(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = MemoryBus()
    monkeypatch.setattr(trace_module, "embedded", opens(empty))
    file.write_text(file.read_text() + "{broken\n")
    done = invoke("import", str(file), "--data", str(tmp_path / "data"))
    assert isinstance(done.exception, ConfigError)
    assert f"line {len(sample_run()) + 2}" in done.output
    assert empty.events == {}


def test_verify_asks_lean_about_every_proof(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = installed(monkeypatch, accepted=True)
    done = invoke("verify", str(file))
    assert done.exit_code == 0
    assert "1 proofs, 1 accepted again by a fresh Lean process: no faults" in done.output
    assert asked == ["add_zero_nat"]


def test_verify_without_lean_says_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = installed(monkeypatch, accepted=True)
    done = invoke("verify", "--no-lean", str(file))
    assert "1 proofs not checked again" in done.output
    assert asked == []


def test_verify_fails_on_a_proof_that_is_not_accepted_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, accepted=False)
    done = invoke("verify", "--json", str(file))
    assert done.exit_code == 1
    (fault,) = json.loads(done.stdout)["faults"]
    assert (fault["rule"], fault["where"]) == ("lean", "r1/add_zero_nat")


def test_verify_names_the_line_of_a_fault(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, accepted=True)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:4], "{broken", *lines[4:]]) + "\n")
    done = invoke("verify", str(file))
    assert done.exit_code == 1
    assert done.output.startswith("line 5: line:")


def test_verify_without_a_lean_worker_says_what_installs_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace_module, "installed_recheck", lambda: None)
    done = invoke("verify", str(file))
    assert isinstance(done.exception, BusError)
    assert "ragsolver[verifier]" in str(done.exception)
