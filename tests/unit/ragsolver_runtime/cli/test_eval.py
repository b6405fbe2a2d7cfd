import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.report import Outcome
from ragsolver_runtime import run_place
from ragsolver_runtime.cli import eval as module
from ragsolver_runtime.cli import eval_runs
from ragsolver_runtime.cli.eval import evaluation
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.testing import said
from suites.evaluated import evaluated
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import solution


def first_only(event: AnyEvent) -> Iterator[AnyEvent]:
    """The problem `a` is proved, any other is not."""
    if event.name != "problem_submitted":
        return
    name = event.problem_id
    if name == "a":
        payload = ProblemSolved(report=solution(name, Outcome.SOLVED, "done", 1))
        yield said(payload, event.run_id, name, event)
        return
    report = solution(name, Outcome.NOT_PROVED, "no", 1)
    failed = ProblemFailed(outcome=Outcome.NOT_PROVED, message="no", report=report)
    yield said(failed, event.run_id, name, event)


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus()
    made.answer = first_only
    for name in ("embedded", "connected"):
        monkeypatch.setattr(run_place, name, opens(made))
    monkeypatch.setattr(eval_runs, "contributed", list)
    monkeypatch.setattr(
        module, "check_contamination", lambda p, _: ContaminationCheck(problems=len(p))
    )
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("plain", "other"):
        (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\n')
    lines = [
        json.dumps({"name": name, "formal_statement": f"theorem {name} : True := by sorry"})
        for name in ("a", "b")
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def solve(folder: Path, *more: str) -> Result:
    configs = f"{folder / 'plain.toml'},{folder / 'other.toml'}"
    shared = ("--configs", configs, "--no-workers", "--no-plots", "--data", str(folder / "data"))
    return CliRunner().invoke(
        evaluation, ["solve", *more, *shared, "-o", str(folder / "out"), "--json"]
    )


@pytest.mark.usefixtures("bus")
def test_every_configuration_is_run_and_reported(folder: Path) -> None:
    done = solve(folder, str(folder / "p.jsonl"), "--repetitions", "2", "--seed", "7")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert [c["name"] for c in report["configurations"]] == ["plain", "other"]
    assert report["baseline"] == "plain"
    assert {c["pass_at"]["1"] for c in report["configurations"]} == {0.5}
    assert [r["config"]["seed"] for r in report["runs"]] == [7, 7, 8, 8]
    assert report["contamination"]["problems"] == 2
    assert "run 4 of 4: other, repetition 2" in done.stderr
    assert len(list((folder / "out/traces").glob("*.jsonl"))) == 4


@pytest.mark.usefixtures("bus")
def test_the_report_of_the_traces_is_the_same(folder: Path) -> None:
    assert solve(folder, str(folder / "p.jsonl")).exit_code == 0
    traces = [str(p) for p in (folder / "out/traces").iterdir()]
    target = folder / "again"
    done = CliRunner().invoke(evaluation, ["report", *traces, "--no-plots", "-o", str(target)])
    assert done.exit_code == 0, done.output
    for path in target.iterdir():
        assert path.read_bytes() == (folder / "out" / path.name).read_bytes()
    assert (target / "evaluation.json").is_file()


def test_resume_runs_only_what_is_missing(folder: Path, bus: MemoryBus) -> None:
    first = json.loads(solve(folder, str(folder / "p.jsonl")).stdout)
    run = first["runs"][1]["run_id"]
    bus.events = {i: e for i, e in bus.events.items() if e.run_id != run}
    (folder / "other.toml").write_text('name = "changed"\nseed = 4\n')
    bus._news = asyncio.Event()  # each command has an event loop of its own
    posted = len(bus.posted)
    done = solve(folder, "--resume")
    assert done.exit_code == 0, done.output
    assert len(bus.posted) == posted + 2
    assert [r["run_id"] for r in json.loads(done.stdout)["runs"]] == [
        r["run_id"] for r in first["runs"]
    ]
    assert [c["name"] for c in json.loads(done.stdout)["configurations"]] == ["plain", "other"]


@pytest.mark.usefixtures("bus")
def test_wrong_usage_is_told_before_anything_runs(folder: Path) -> None:
    assert "name a problem file" in solve(folder).stderr
    assert isinstance(solve(folder, "--resume").exception, ConfigError)
    file = str(folder / "p.jsonl")
    assert solve(folder, file).exit_code == 0
    assert "holds an evaluation already" in str(solve(folder, file).exception)
    twice = CliRunner().invoke(
        evaluation, ["solve", file, "--configs", "full,full", "--no-plots", "-o", str(folder)]
    )
    assert "stands there twice" in str(twice.exception)


def test_nothing_is_compared_where_that_is_not_wanted(folder: Path, bus: MemoryBus) -> None:
    done = solve(folder, str(folder / "p.jsonl"), "--no-contamination")
    assert "--no-contamination" in json.loads(done.stdout)["contamination"]["skipped"]


def test_traces_of_before_are_reported_as_text(tmp_path: Path) -> None:
    traces = [str(p) for p in evaluated(tmp_path)]
    done = CliRunner().invoke(
        evaluation, ["report", *traces, "--no-plots", "-o", str(tmp_path / "out")]
    )
    assert done.exit_code == 0
    assert "# Evaluation e1" in done.stdout


def test_the_layout_of_the_file_is_kept(folder: Path, bus: MemoryBus) -> None:
    done = solve(folder, str(folder / "p.jsonl"), "--format", "minif2f")
    assert done.exit_code == 0, done.output
    again = solve(folder, "--resume")
    assert again.exit_code == 0, again.output
    assert {json.loads(message)["name"] for message in bus.posted} == {"minif2f.a", "minif2f.b"}
