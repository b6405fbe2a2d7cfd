from pathlib import Path

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.run_notes import LATEST, new_note, note_to_resume, selected_inputs
from ragsolver_runtime.workspace import Workspace
from suites.memory_bus import MemoryBus
from suites.sample_run import sample_run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    path.write_text('{"name": "a"}\n{"name": "b"}\n{"name": "c"}\n')
    return path


def test_a_note_selects_the_same_inputs_again(file: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("c\nb\n")
    note = new_note(file, names, 1, "full", ("seed=1",))
    assert [i.name for i in selected_inputs(note)] == ["b"]
    names.write_text("c\n")
    with pytest.raises(ConfigError, match="changed since run"):
        selected_inputs(note)


def test_nothing_that_is_meant_is_an_error(file: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("z\n")
    with pytest.raises(ConfigError, match="no problem of those names"):
        new_note(file, names, None, "full", ())
    with pytest.raises(ConfigError, match="cannot be read"):
        new_note(tmp_path / "none.jsonl", None, None, "full", ())


async def test_the_latest_unfinished_run_is_resumed(file: Path, tmp_path: Path) -> None:
    workspace, bus = Workspace(tmp_path / "data"), MemoryBus(sample_run())
    note = new_note(file, None, None, "full", ())
    for run_id in ("r1", "r0"):  # r1 is finished on the bus
        workspace.write_note(note.model_copy(update={"run_id": run_id}))
    assert (await note_to_resume(bus, workspace, LATEST)).run_id == "r0"
    assert (await note_to_resume(bus, workspace, "r1")).run_id == "r1"
    with pytest.raises(ConfigError, match="it knows r1, r0"):
        await note_to_resume(bus, workspace, "r9")


async def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no unfinished run"):
        await note_to_resume(MemoryBus(), Workspace(tmp_path), LATEST)
