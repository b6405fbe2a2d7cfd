import json

import pytest
from click.testing import CliRunner, Result

from ragsolver_contracts.events_run import RunFinished
from ragsolver_runtime.cli import report as report_module
from ragsolver_runtime.cli.report import report
from ragsolver_runtime.errors import BusError, ConfigError
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import RUN, RunWriter, sample_run, write_solved


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus(sample_run())
    monkeypatch.setattr(report_module, "existing", opens(made))
    return made


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(report, list(arguments))


@pytest.mark.usefixtures("bus")
def test_formats() -> None:
    assert invoke().output.startswith(f"Run {RUN} (finished)")
    assert invoke("--format", "md").output.startswith(f"# Run {RUN}")
    told = json.loads(invoke("--json").output)
    assert told["run_id"] == RUN
    assert len(told["state_hash"]) == 64
    assert invoke().exit_code == 1


@pytest.mark.usefixtures("bus")
def test_one_problem_with_every_candidate() -> None:
    done = invoke("--problem", "hard", "--json")
    assert [c["status"] for c in json.loads(done.output)["candidates"]] == ["rejected"] * 2
    assert "1.0" in invoke("--problem", "hard").output
    assert isinstance(invoke("--problem", "none").exception, ConfigError)


@pytest.mark.usefixtures("bus")
def test_list_of_runs_and_an_unknown_run() -> None:
    assert RUN in invoke("--list").output
    assert isinstance(invoke("r7").exception, BusError)


def test_a_run_in_which_all_is_proved_is_exit_code_0(monkeypatch: pytest.MonkeyPatch) -> None:
    run = RunWriter()
    run.start(1)
    write_solved(run, "p", 1)
    run.add("_run", "cli", RunFinished(outcomes={"solved": 1}))
    monkeypatch.setattr(report_module, "existing", opens(MemoryBus(run.events)))
    assert invoke().exit_code == 0
