import os
from pathlib import Path

import psutil
import pytest

from ragsolver_runtime.errors import BusError
from ragsolver_runtime.run_report import RunReport, report_of_events
from ragsolver_runtime.workspace import RunNote, Workspace, write_report
from suites.sample_run import RUN, sample_run


def note(run_id: str = "r1") -> RunNote:
    return RunNote(run_id=run_id, file="/p.jsonl", selection="d", config="full")


def test_notes_are_read_back_latest_first(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    for run_id in ("r20260101", "r20260301", "r20260201"):
        workspace.write_note(note(run_id))
    assert workspace.read_note("r20260201") == note("r20260201")
    assert workspace.read_note("unknown") is None
    assert workspace.noted_runs() == ["r20260301", "r20260201", "r20260101"]


def test_a_broken_note_is_an_error_that_names_it(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write_note(note())
    (workspace.run("r1") / "run.json").write_text("{")
    with pytest.raises(BusError, match=r"run\.json cannot be read"):
        workspace.read_note("r1")


def test_endpoint_of_a_process_that_lives_and_of_one_that_is_gone(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    assert workspace.endpoint() is None
    workspace.write_endpoint("nats://x", "up")
    found = workspace.endpoint()
    assert found is not None
    assert (found.url, found.pid, found.kind) == ("nats://x", os.getpid(), "up")
    reused = found.model_copy(update={"created": found.created - 100})
    (tmp_path / "endpoint.json").write_text(reused.model_dump_json())
    assert workspace.endpoint() is None
    workspace.clear_endpoint()
    assert not (tmp_path / "endpoint.json").exists()


def test_endpoint_of_another_process_stays(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write_endpoint("nats://x", "up")
    found = workspace.endpoint()
    assert found is not None
    parent = os.getppid()
    created = psutil.Process(parent).create_time()
    other = found.model_copy(update={"pid": parent, "created": created})
    (tmp_path / "endpoint.json").write_text(other.model_dump_json())
    workspace.clear_endpoint()
    assert workspace.endpoint() == other


def test_has_events_only_where_a_server_stored_some(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    assert not workspace.has_events
    (workspace.bus / "jetstream").mkdir(parents=True)
    assert workspace.has_events


def test_a_report_is_written_for_machines_and_people(tmp_path: Path) -> None:
    report = report_of_events(RUN, sample_run())
    write_report(report, tmp_path / "out")
    text = (tmp_path / "out" / "report.json").read_text()
    assert RunReport.model_validate_json(text) == report
    assert (tmp_path / "out" / "report.md").read_text().startswith("# Run r1")
    assert len(list((tmp_path / "out").iterdir())) == 2
