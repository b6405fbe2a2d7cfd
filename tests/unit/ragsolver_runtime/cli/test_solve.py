import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    CandidateProposed,
    ProblemSolved,
    VerdictIssued,
)
from ragsolver_contracts.lean import StatementView
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime import run_place
from ragsolver_runtime.cli import solve as solve_module
from ragsolver_runtime.cli.solve import solve
from ragsolver_runtime.errors import BusError, ConfigError
from ragsolver_runtime.recheck import RecheckResult
from ragsolver_runtime.testing import said
from ragsolver_runtime.workspace import Workspace
from suites.memory_bus import MemoryBus, opens
from suites.sample_run import accepted, solution


def proves(event: AnyEvent) -> Iterator[AnyEvent]:
    """Every submitted problem is proved at once, by the candidate 1.1."""
    if event.name != "problem_submitted":
        return
    name = event.problem_id
    view = StatementView(type="True", target="True")
    text = CandidateText(proof="by trivial")
    for payload in (
        StatementChecked(statable=True, view=view),
        CandidateProposed(
            attempt=1,
            candidate=1,
            batch=0,
            closes_batch=True,
            closes_attempt=True,
            text=text,
            strategy="trivial",
        ),
        VerdictIssued(attempt=1, candidate=1, verdict=accepted(name)),
        ProblemSolved(report=solution(name, Outcome.SOLVED, "done", 1)),
    ):
        yield said(payload, event.run_id, name, event)


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus()
    made.answer = proves
    monkeypatch.setattr(run_place, "embedded", opens(made))
    monkeypatch.setattr(run_place, "connected", opens(made))
    monkeypatch.setattr(solve_module, "contributed", list)
    monkeypatch.setattr(
        solve_module,
        "installed_recheck",
        lambda: lambda items: [RecheckResult(i.problem_id, accepted=True) for i in items],
    )
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plain.toml").write_text('name = "plain"\n')
    lines = [
        json.dumps({"name": name, "formal_statement": f"theorem {name} : True := by sorry"})
        for name in ("a", "b", "c")
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path


def invoke(folder: Path, *arguments: str) -> Result:
    shared = ("--no-workers", "--config", str(folder / "plain.toml"))
    return CliRunner().invoke(solve, [*arguments, *shared, "--data", str(folder / "data")])


@pytest.mark.usefixtures("bus")
def test_report_files_and_second_check(folder: Path) -> None:
    done = invoke(folder, str(folder / "p.jsonl"), "--json", "--report-dir", str(folder / "out"))
    assert done.exit_code == 0
    report = json.loads(done.stdout)
    assert [p["recheck"]["accepted"] for p in report["problems"]] == [True] * 3
    assert json.loads((folder / "out" / "report.json").read_text()) == report
    kept = Workspace(folder / "data").run(report["run_id"]) / "report.md"
    assert kept.read_text().startswith("# Run ")


@pytest.mark.usefixtures("bus")
def test_only_and_limit(folder: Path) -> None:
    names = folder / "names.txt"
    names.write_text("c\nb\n")
    done = invoke(folder, str(folder / "p.jsonl"), "--json", "--only", str(names), "--limit", "1")
    assert [p["name"] for p in json.loads(done.stdout)["problems"]] == ["b"]


@pytest.mark.usefixtures("bus")
def test_no_recheck(folder: Path) -> None:
    done = invoke(folder, str(folder / "p.jsonl"), "--json", "--no-recheck")
    assert {p["recheck"] for p in json.loads(done.stdout)["problems"]} == {None}


def test_a_proof_not_accepted_again_is_exit_code_3(
    folder: Path, bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_module, "installed_recheck", lambda: lambda _: [])
    done = invoke(folder, str(folder / "p.jsonl"))
    assert done.exit_code == 3
    assert "a: not accepted again" in done.stderr


def test_resume_posts_the_same_inputs_to_the_same_run(folder: Path, bus: MemoryBus) -> None:
    first = json.loads(invoke(folder, str(folder / "p.jsonl"), "--json").stdout)
    posted = list(bus.posted)
    again = invoke(folder, "--resume", first["run_id"], "--json", "--no-recheck")
    assert again.exit_code == 0
    assert bus.posted == posted * 2
    assert json.loads(again.stdout)["run_id"] == first["run_id"]
    assert sum(e.name == "run_started" for e in bus.events.values()) == 1


def test_resume_without_an_unfinished_run_or_with_a_changed_file(
    folder: Path, bus: MemoryBus
) -> None:
    assert isinstance(invoke(folder, "--resume").exception, ConfigError)
    run_id = json.loads(invoke(folder, str(folder / "p.jsonl"), "--json").stdout)["run_id"]
    (folder / "p.jsonl").write_text('{"name": "other"}\n')
    changed = invoke(folder, "--resume", run_id)
    assert "changed since run" in str(changed.exception)
    assert "started no run 'r0'" in str(invoke(folder, "--resume", "r0").exception)


def test_an_unfinished_run_of_before_is_mentioned(folder: Path, bus: MemoryBus) -> None:
    first = json.loads(invoke(folder, str(folder / "p.jsonl"), "--json").stdout)["run_id"]
    bus.events = {i: e for i, e in bus.events.items() if e.name != "run_finished"}
    second = invoke(folder, str(folder / "p.jsonl"), "--json")
    assert f"ragsolver cancel {first}" in second.stderr


def test_a_tier_that_cannot_be_had_is_refused_before_anything_starts(
    folder: Path, bus: MemoryBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(tier: str) -> None:
        assert tier == "replayed"
        raise BusError("the run asks for the tier 'replayed': leanchecker is missing")

    monkeypatch.setattr(solve_module, "require_tier", refuse)
    arguments = ("--set", "verifier.tier=replayed", "--data", str(folder / "data"))
    config = ("--config", str(folder / "plain.toml"))
    done = CliRunner().invoke(solve, [str(folder / "p.jsonl"), *arguments, *config])
    assert "leanchecker is missing" in str(done.exception)
    assert not bus.posted


def test_a_layout_is_kept_for_the_resumption(folder: Path, bus: MemoryBus) -> None:
    record = {"name": "a", "formal_statement": "theorem a : True := by trivial"}
    (folder / "set.json").write_text(json.dumps([record]))
    first = json.loads(
        invoke(folder, str(folder / "set.json"), "--format", "minif2f", "--json").stdout
    )
    assert [p["name"] for p in first["problems"]] == ["minif2f.a"]
    (posted,) = bus.posted
    assert b"by trivial" not in posted
    assert json.loads(posted)["source"]["dataset"] == "miniF2F"
    assert invoke(folder, "--resume", first["run_id"]).exit_code == 0
    assert bus.posted == [posted, posted]


@pytest.mark.usefixtures("bus")
def test_a_folder_of_problems(folder: Path) -> None:
    (folder / "set").mkdir()
    (folder / "set" / "b.md").write_text("## one\n\n```lean\nlemma one : True := by\n```\n")
    (folder / "set" / "a.lean").write_text("theorem a : True := sorry\n")
    done = invoke(folder, str(folder / "set"), "--json")
    assert [p["name"] for p in json.loads(done.stdout)["problems"]] == ["a", "b.one"]


def test_an_unknown_layout_is_wrong_usage(folder: Path, bus: MemoryBus) -> None:
    done = invoke(folder, str(folder / "p.jsonl"), "--format", "fat")
    assert done.exit_code == 2
    assert "numinamath-lean" in done.output
    assert not bus.posted


@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize(
    ("key", "config", "said"),
    [
        ("sk-1", "llm", "configuration llm: ANTHROPIC_API_KEY is set"),
        ("", "full", "configuration full: ANTHROPIC_API_KEY is not set"),
    ],
)
def test_without_a_configuration_a_key_decides(
    folder: Path, monkeypatch: pytest.MonkeyPatch, key: str, config: str, said: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    chosen: list[str] = []
    real = solve_module.load_run_config

    def load(name: str, **_: object) -> RunConfig:
        chosen.append(name)
        return real(str(folder / "plain.toml"))

    monkeypatch.setattr(solve_module, "load_run_config", load)
    arguments = [str(folder / "p.jsonl"), "--no-workers", "--data", str(folder / "data")]
    done = CliRunner().invoke(solve, arguments)
    assert done.exit_code == 0
    assert set(chosen) == {config}
    assert done.stderr.startswith(said)
    assert "sk-1" not in done.output
