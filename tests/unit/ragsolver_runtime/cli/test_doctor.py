import json

import pytest
from click.testing import CliRunner

from ragsolver_runtime.cli import doctor as doctor_module
from ragsolver_runtime.cli.doctor import doctor
from ragsolver_runtime.doctor import Finding

GOOD = Finding("python", "ok", "3.11")
NOTE = Finding("memory", "note", "2 GiB")
BAD = Finding("index", "missing", "not built", "ragsolver index build")


def examined(monkeypatch: pytest.MonkeyPatch, *found: Finding) -> None:
    monkeypatch.setattr(doctor_module, "examine", lambda: list(found))


def test_all_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, GOOD, NOTE)
    done = CliRunner().invoke(doctor)
    assert (done.exit_code, "Everything is there." in done.output) == (0, True)


def test_what_is_missing_comes_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, GOOD, BAD)
    done = CliRunner().invoke(doctor)
    assert done.exit_code == 3
    assert "fix: ragsolver index build" in done.output
    assert done.output.endswith("First: ragsolver index build\n")


def test_json_for_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    examined(monkeypatch, GOOD, BAD)
    done = CliRunner().invoke(doctor, ["--json"])
    assert [f["state"] for f in json.loads(done.output)] == ["ok", "missing"]
    assert done.exit_code == 3
