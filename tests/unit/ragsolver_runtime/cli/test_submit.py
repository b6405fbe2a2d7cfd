import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragsolver_runtime.cli import submit as submit_module
from ragsolver_runtime.cli.submit import submit
from ragsolver_runtime.errors import ConfigError
from suites.memory_bus import MemoryBus, opens

GOOD = b'{"name": "one", "formal_statement": "theorem one : True"}\n'


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus()
    monkeypatch.setattr(submit_module, "connected", opens(made))
    return made


def invoke(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(submit, [*arguments, "--nats", "nats://x"], input=stdin)


@pytest.mark.usefixtures("bus")
def test_answers_in_words_and_code() -> None:
    accepted = invoke("-", stdin=GOOD)
    assert (accepted.exit_code, accepted.output) == (0, "accepted one: inbox/one\n")
    refused = invoke("-", stdin=GOOD + b"{broken\n")
    assert refused.exit_code == 1
    first, second = refused.output.splitlines()
    assert first == "accepted one: inbox/one (posted before)"
    assert second.startswith("refused  line 2: bad_json")


@pytest.mark.usefixtures("bus")
def test_answers_for_machines() -> None:
    (line,) = invoke("-", "--json", stdin=GOOD).output.splitlines()
    assert json.loads(line)["status"] == "accepted"


def test_run_and_limit(bus: MemoryBus, tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_bytes(GOOD * 3)
    assert invoke(str(file), "--run", "r5", "--limit", "1").output.startswith("accepted one: r5/")
    (posted,) = bus.posted
    assert json.loads(posted)["run_id"] == "r5"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert isinstance(invoke(str(tmp_path / "none.jsonl")).exception, ConfigError)


def test_the_layout_of_standard_input(bus: MemoryBus) -> None:
    assert invoke("-", "--format", "minif2f", stdin=GOOD).output.startswith("accepted minif2f.one")
    (posted,) = bus.posted
    assert json.loads(posted)["source"] == {
        "file": "stdin",
        "line": 1,
        "dataset": "miniF2F",
        "licence": "MIT",
    }
