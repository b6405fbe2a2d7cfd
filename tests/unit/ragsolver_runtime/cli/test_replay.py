import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import ProblemFailed
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime import run_place
from ragsolver_runtime.cli import replay as replay_module
from ragsolver_runtime.cli.replay import replay
from ragsolver_runtime.errors import BusError, ConfigError
from ragsolver_runtime.testing import said
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import RUN, solution
from suites.trace_files import write_trace


def fails(event: AnyEvent) -> Iterator[AnyEvent]:
    """Every submitted problem that is not cancelled fails at once."""
    if event.name == "problem_submitted" and event.problem_id != "dropped":
        report = solution(event.problem_id, Outcome.NOT_PROVED, "no", 1)
        failed = ProblemFailed(outcome=Outcome.NOT_PROVED, message="no", report=report)
        yield said(failed, event.run_id, event.problem_id, event)


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus()
    made.answer = fails
    monkeypatch.setattr(run_place, "embedded", opens(made))
    monkeypatch.setattr(run_place, "connected", opens(made))
    monkeypatch.setattr(replay_module, "contributed", list)
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_trace(tmp_path / "run.jsonl")


def invoke(file: Path, *arguments: str) -> Result:
    data = str(file.parent / "data")
    return CliRunner().invoke(replay, [str(file), "--no-workers", "--data", data, *arguments])


def test_a_replay_says_where_it_parted_and_writes_it_down(bus: MemoryBus, file: Path) -> None:
    done = invoke(file, "--json")
    assert done.exit_code == 1, done.output
    told = json.loads(done.stdout)
    assert told["replay"]["run_id"] == RUN
    assert not told["same"]
    assert {p["problem_id"] for p in told["problems"] if p["parting"]} >= {"add_zero_nat"}
    written = file.parent / "data" / "runs" / told["run_id"] / "replay.json"
    assert json.loads(written.read_text()) == told


def test_the_same_state_is_exit_code_0(bus: MemoryBus, file: Path) -> None:
    done = invoke(file, "--only", "dropped")
    assert done.exit_code == 0, done.output
    assert "the same state in all 1 problems" in done.output


def test_problems_are_named_one_by_one_or_in_a_file(bus: MemoryBus, file: Path) -> None:
    names = file.parent / "names.txt"
    names.write_text("hard\nadd_zero_nat\n")
    told = json.loads(invoke(file, "--json", "--only", str(names), "--only", "dropped").stdout)
    assert [p["problem_id"] for p in told["problems"]] == ["add_zero_nat", "hard", "dropped"]


def started(bus: MemoryBus) -> RunConfig:
    return next(e.data.config for e in bus.events.values() if e.name == "run_started")


def test_settings_change_the_recorded_configuration(bus: MemoryBus, file: Path) -> None:
    done = invoke(file, "--set", "retrieval.k=3", "--only", "dropped", "--json")
    assert started(bus) == RunConfig.model_validate({"retrieval": {"k": 3}})
    (reason,) = json.loads(done.stdout)["replay"]["reasons"]
    assert (reason["what"], reason["stage"]) == ("retrieval.k", "retrieval")


def test_a_named_configuration_replaces_the_recorded_one(bus: MemoryBus, file: Path) -> None:
    invoke(file, "--config", "no_rag", "--only", "dropped")
    assert started(bus).name == "no_rag"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--config", "nonsense"), "no run configuration 'nonsense'"),
        (("--set", "retrieval.kk=3"), "kk"),
        (("--run", "r9"), "no run 'r9'"),
        (("--only", "nobody"), "no problem 'nobody'"),
        (("--resume", "r9"), "no replay on this bus"),
        (("--resume",), "no unfinished replay"),
    ],
)
def test_wrong_wishes_are_told(
    bus: MemoryBus, file: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = invoke(file, *arguments)
    assert isinstance(done.exception, ConfigError), done.output
    assert message in str(done.exception)
    assert bus.events == {}


def test_what_is_no_trace_is_refused(bus: MemoryBus, file: Path) -> None:
    file.write_text('{"name": "a problem, no trace"}\n')
    done = invoke(file)
    assert isinstance(done.exception, ConfigError)
    assert "run.jsonl line 1: " in str(done.exception)


def test_a_replay_goes_on_where_it_stopped(
    bus: MemoryBus, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        raise BusError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(replay_module, "replay_report", breaks)
        done = invoke(file, "--llm", "recorded-then-live")
    assert isinstance(done.exception, BusError)
    bus.events = {k: e for k, e in bus.events.items() if e.name != "run_finished"}
    before = len(bus.events)
    again = invoke(file, "--resume", "--json")
    assert again.exit_code == 1, again.output
    assert json.loads(again.stdout)["replay"]["llm"] == "recorded-then-live"
    assert len(bus.events) == before + 1
