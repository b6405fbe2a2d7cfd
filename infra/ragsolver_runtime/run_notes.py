"""What `solve` was asked, made from its options or found again for `--resume`."""

from datetime import UTC, datetime
from pathlib import Path

from ragsolver_contracts.ids import new_run_id
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.formats.registry import AUTO
from ragsolver_runtime.problem_files import (
    FileInput,
    Selection,
    read_inputs,
    read_names,
    selection_digest,
)
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.runs import list_runs
from ragsolver_runtime.workspace import RunNote, Workspace

LATEST = "latest"
"""Stands for the latest unfinished run."""


def new_note(
    file: Path,
    only: Path | None,
    limit: int | None,
    config: str,
    settings: tuple[str, ...],
    layout: str = AUTO,
) -> RunNote:
    """The note of a new run.

    Args:
        file: the problem file or folder.
        only: list of names, if only some are meant.
        limit: at most this many problems.
        config: run configuration, by name or file.
        settings: `--set` values of the run.
        layout: how the file is read, one of `format_names()`.

    Raises:
        ConfigError: the file cannot be read, or has nothing that is meant.
    """
    note = RunNote(
        run_id=new_run_id(datetime.now(UTC)),
        file=str(file.resolve()),
        layout=layout,
        only=str(only.resolve()) if only else None,
        limit=limit,
        selection="",
        config=config,
        settings=settings,
    )
    inputs = selected_inputs(note)
    if not inputs:
        raise ConfigError(f"{file} has no problem" + (" of those names" if only else ""))
    return note.model_copy(update={"selection": selection_digest(inputs)})


def selected_inputs(note: RunNote) -> list[FileInput]:
    """The inputs that are meant, from the file as it is now.

    Raises:
        ConfigError: it cannot be read, or it changed since the run began.
    """
    try:
        names = read_names(Path(note.only)) if note.only else None
        found = read_inputs(Path(note.file), note.layout)
        inputs = list(Selection(names, note.limit).apply(found))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{note.file} cannot be read: {error}") from error
    if note.selection and selection_digest(inputs) != note.selection:
        raise ConfigError(
            f"{note.file} changed since run {note.run_id} began: restore it, or start a new run"
        )
    return inputs


async def note_to_resume(reader: EventReader, workspace: Workspace, run_id: str) -> RunNote:
    """The note of the run that is to be continued.

    Args:
        reader: the bus, which knows what is finished.
        workspace: where the notes are.
        run_id: the run, or `LATEST`.

    Raises:
        ConfigError: there is none.
    """
    if run_id == LATEST:
        ended = {run.run_id for run in await list_runs(reader) if run.finished}
        unfinished = [run for run in workspace.noted_runs() if run not in ended]
        if not unfinished:
            raise ConfigError(f"no unfinished run in {workspace.data}")
        run_id = unfinished[0]
    note = workspace.read_note(run_id)
    if note is None:
        known = ", ".join(workspace.noted_runs()[:5]) or "none"
        raise ConfigError(f"`solve` started no run {run_id!r} here; it knows {known}")
    return note
