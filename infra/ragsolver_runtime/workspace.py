"""The data folder: the embedded bus, one folder a run, and where a running bus is found.

DATA/bus/                 the embedded server's store and log
DATA/runs/RUN/run.json    what `solve` was asked, so that it can be resumed
DATA/runs/RUN/logs/       output of the worker processes
DATA/runs/RUN/report.*    the report, as JSON and Markdown
DATA/runs/RUN/replay.json where a replay parted from the run that it replays
DATA/endpoint.json        URL and process of the bus that runs on this folder now
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil
from pydantic import ValidationError

from ragsolver_contracts.base import Model
from ragsolver_contracts.ids import token
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.formats.registry import AUTO
from ragsolver_runtime.render_markdown import report_markdown
from ragsolver_runtime.replay.report import ReplayReport
from ragsolver_runtime.run_report import RunReport


class RunNote(Model):
    """What a `solve` was asked: kept on this machine, beside the events."""

    run_id: str
    file: str
    """Absolute path of the problem file or folder."""
    layout: str = AUTO
    """How it is read: `--format`."""
    only: str | None = None
    """Absolute path of the list of names."""
    limit: int | None = None
    selection: str
    """Digest of the selected inputs: a changed file is not the same run."""
    config: str
    settings: tuple[str, ...] = ()
    """`--set` values."""


class Endpoint(Model):
    """A bus that runs on this data folder."""

    url: str
    pid: int
    created: float
    """Start time of that process: a process id alone may be used again."""
    kind: Literal["up", "solve"]


@dataclass(frozen=True)
class Workspace:
    """The paths in one data folder."""

    data: Path

    @property
    def bus(self) -> Path:
        """The embedded server's folder."""
        return self.data / "bus"

    @property
    def has_events(self) -> bool:
        """Whether an embedded server ever stored anything here."""
        return (self.bus / "jetstream").is_dir()

    def run(self, run_id: str) -> Path:
        """The folder of one run."""
        return self.data / "runs" / token(run_id)

    def write_note(self, note: RunNote) -> None:
        """Keep what a run was asked."""
        folder = self.run(note.run_id)
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "run.json", note.model_dump_json(indent=1))

    def read_note(self, run_id: str) -> RunNote | None:
        """What a run was asked; none for a run that `solve` did not start here.

        Raises:
            BusError: the note is there but cannot be read.
        """
        path = self.run(run_id) / "run.json"
        if not path.is_file():
            return None
        try:
            return RunNote.model_validate_json(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BusError(f"{path} cannot be read: {error}") from error

    def noted_runs(self) -> list[str]:
        """Runs that `solve` started here, latest first."""
        found = (self.data / "runs").glob("*/run.json")
        notes = (self.read_note(path.parent.name) for path in found)
        return sorted((note.run_id for note in notes if note is not None), reverse=True)

    def write_endpoint(self, url: str, kind: Literal["up", "solve"]) -> None:
        """Say where the bus on this folder is; this process runs it."""
        pid = os.getpid()
        created = psutil.Process(pid).create_time()
        made = Endpoint(url=url, pid=pid, created=created, kind=kind)
        self.data.mkdir(parents=True, exist_ok=True)
        _write(self._endpoint, made.model_dump_json())

    def endpoint(self) -> Endpoint | None:
        """The bus that runs on this folder now; none if its process is gone."""
        try:
            found = Endpoint.model_validate_json(self._endpoint.read_text(encoding="utf-8"))
            alive = abs(psutil.Process(found.pid).create_time() - found.created) < 1.0
        except (OSError, ValidationError, psutil.Error):
            return None
        return found if alive else None

    def clear_endpoint(self) -> None:
        """The bus that this process ran is down."""
        found = self.endpoint()
        if found is None or found.pid == os.getpid():
            self._endpoint.unlink(missing_ok=True)

    @property
    def _endpoint(self) -> Path:
        return self.data / "endpoint.json"


def _write(path: Path, text: str) -> None:
    """Write so that a reader sees the old text or the new, never half of it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(text + "\n", encoding="utf-8")
    part.replace(path)


def write_replay(report: ReplayReport, folder: Path) -> None:
    """Write `replay.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "replay.json", report.model_dump_json(indent=2))


def write_report(report: RunReport, folder: Path) -> None:
    """Write `report.json` and `report.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "report.json", report.model_dump_json(indent=2))
    _write(folder / "report.md", report_markdown(report))
