from pathlib import Path

import pytest

from ragsolver_runtime.bus_session import existing, running_url
from ragsolver_runtime.errors import BusError, BusLostError
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.workspace import Workspace


def test_a_given_url_wins_over_the_running_bus(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.write_endpoint("nats://running", "up")
    assert running_url("nats://given", workspace) == "nats://given"
    assert running_url(None, workspace) == "nats://running"


def test_nothing_running_says_what_to_start(tmp_path: Path) -> None:
    with pytest.raises(BusError, match="ragsolver up"):
        running_url(None, Workspace(tmp_path))


async def test_a_folder_without_runs_is_not_made_into_one(tmp_path: Path) -> None:
    with pytest.raises(BusError, match="no run was ever made"):
        async with existing(None, Workspace(tmp_path / "none"), BusTable(), "test"):
            pass
    assert not (tmp_path / "none").exists()


async def test_a_url_where_nothing_answers(tmp_path: Path) -> None:
    with pytest.raises(BusLostError, match="no NATS server answers"):
        async with existing("nats://127.0.0.1:1", Workspace(tmp_path), BusTable(), "test"):
            pass
