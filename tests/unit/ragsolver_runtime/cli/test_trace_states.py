import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from ragsolver_runtime.cli import trace_states
from ragsolver_runtime.cli.trace import trace
from ragsolver_runtime.errors import ConfigError
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import RUN, sample_run
from suites.trace_files import write_trace


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(trace_states, "existing", opens(MemoryBus(sample_run())))
    return write_trace(tmp_path / "run.jsonl")


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(trace, list(arguments))


def test_file_and_bus_have_the_same_hash(file: Path) -> None:
    found = invoke("hash", str(file))
    assert found.exit_code == 0
    assert len(found.output.strip()) == 64
    assert invoke("hash", RUN).output == found.output


def test_every_problem_has_a_hash(file: Path) -> None:
    lines = invoke("hash", str(file), "--problems").output.splitlines()
    assert len(lines) == 6
    told = json.loads(invoke("hash", str(file), "--json").output)
    assert told["state_hash"] == lines[0]
    assert [f"{value}  {name}" for name, value in told["problems"].items()] == lines[1:]


def test_equal_runs_differ_in_nothing(file: Path) -> None:
    done = invoke("diff", str(file), RUN)
    assert (done.exit_code, done.output) == (0, "nothing differs\n")
    told = json.loads(invoke("diff", str(file), str(file), "--json").output)
    assert told == {"same": True, "problems": []}


def test_a_difference_is_told_and_is_exit_code_1(file: Path, tmp_path: Path) -> None:
    fewer = [e for e in sample_run() if e.problem_id != "hard"]
    other = write_trace(tmp_path / "fewer.jsonl", fewer)
    done = invoke("diff", str(file), str(other))
    assert done.exit_code == 1
    assert "hard: input" in done.output
    assert done.output.endswith("1 problems differ\n")
    told = json.loads(invoke("diff", str(file), str(other), "--json").output)
    assert [p["problem_id"] for p in told["problems"]] == ["hard"]


def test_a_missing_file_and_an_unknown_run_are_told_apart(file: Path) -> None:
    missing = CliRunner().invoke(trace, ["hash", "gone.jsonl"], standalone_mode=False)
    assert isinstance(missing.exception, click.FileError)
    unknown = invoke("hash", "r9")
    assert "no run 'r9' on this bus" in str(unknown.exception)


def test_a_tampered_file_is_refused(file: Path) -> None:
    file.write_text(file.read_text().replace("add zero", "add one", 1))
    found = invoke("diff", str(file), RUN)
    assert isinstance(found.exception, ConfigError)
    assert "was edited" in str(found.exception)
