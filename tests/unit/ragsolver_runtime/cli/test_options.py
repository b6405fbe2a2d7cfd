from pathlib import Path

import pytest

from ragsolver_runtime.cli import options
from ragsolver_runtime.cli.options import examples, split_settings, workspace_of


@pytest.fixture(autouse=True)
def roles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "worker_roles", lambda: ["retriever", "verifier"])


def test_settings_go_to_the_run_or_to_the_workers() -> None:
    asked = (
        "budget.attempts=5",
        "verifier.memory_mb=900",
        "verifier.sessions=2",
        "bus.events_mib=64",
        "seed=3",
        "retriever.device=cpu",
        "nonsense.x=1",
    )
    of_run, of_workers = split_settings(asked)
    assert of_run == ("budget.attempts=5", "verifier.memory_mb=900", "seed=3", "nonsense.x=1")
    assert of_workers == ("verifier.sessions=2", "bus.events_mib=64", "retriever.device=cpu")


def test_data_folder_by_option_then_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGSOLVER_DATA", str(tmp_path / "env"))
    assert workspace_of(None).data == tmp_path / "env"
    assert workspace_of(tmp_path / "option").data == tmp_path / "option"


def test_examples_are_kept_as_they_are() -> None:
    assert examples("a  b", "c") == "\b\nExamples:\n  a  b\n  c"
