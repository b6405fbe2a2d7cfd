from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ragsolver_runtime import doctor
from ragsolver_runtime.doctor import Finding, require_tier, tier_finding
from ragsolver_runtime.errors import BusError


def entries(*found: tuple[str, str]) -> list[EntryPoint]:
    return [EntryPoint(name, value, doctor.ENTRY_POINT_GROUP) for name, value in found]


def lean_is_missing() -> list[Finding]:
    fix, setup = "ragsolver lean install", ("lean", "install")
    return [Finding("lean toolchain", "missing", "not there", fix, setup, order=10)]


def index_is_missing() -> list[Finding]:
    return [
        Finding("index", "missing", "not there", setup=("index", "build"), order=20),
        Finding("encoder", "ok", "there"),
    ]


def explodes() -> list[Finding]:
    raise RuntimeError("disk on fire")


@pytest.fixture
def contributions(monkeypatch: pytest.MonkeyPatch) -> None:
    found = entries(
        ("index", f"{__name__}:index_is_missing"),
        ("lean", f"{__name__}:lean_is_missing"),
        ("odd", f"{__name__}:explodes"),
        ("rag", "ragsolver_rag.no_such_module:findings"),
    )
    monkeypatch.setattr(doctor, "entry_points", lambda group: found)
    monkeypatch.setattr(EntryPoint, "load", lambda self: _load(self.value.split(":")))


def _load(value: list[str]) -> object:
    if value[0] != __name__:
        raise ModuleNotFoundError("No module named 'lancedb'", name="lancedb")
    return globals()[value[1]]


@pytest.mark.usefixtures("contributions")
def test_setups_come_in_the_order_in_which_they_are_needed() -> None:
    setups = [f.setup for f in doctor.missing_setups() if f.setup]
    assert setups == [("lean", "install"), ("index", "build")]


@pytest.mark.usefixtures("contributions")
def test_a_package_without_its_extra_names_the_command() -> None:
    (rag,) = [f for f in doctor.contributed() if f.name == "rag"]
    assert (rag.state, rag.fix) == ("missing", "pip install 'ragsolver[rag]'")


@pytest.mark.usefixtures("contributions")
def test_a_broken_part_does_not_hide_the_others() -> None:
    by_name = {f.name: f for f in doctor.examine()}
    assert by_name["odd"].state == "broken"
    assert "disk on fire" in by_name["odd"].detail
    assert by_name["encoder"].good
    assert by_name["python"].state == "ok"
    assert by_name["nats-server"].state == "ok"


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "data_dir", lambda: tmp_path / "no" / "where")
    monkeypatch.setattr(doctor.os, "access", lambda *_: False)
    found = [f for f in doctor.examine() if f.name == "data folder"]
    assert [f.state for f in found] == ["broken"]
    assert "RAGSOLVER_DATA" in found[0].fix


def test_a_full_disk_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "MIN_FREE_DISK", 10**18)
    assert {f.state for f in doctor.examine() if f.name == "cache folder"} == {"broken"}


def test_a_tier_is_refused_where_its_finding_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    note = Finding(tier_finding("replayed"), "note", "leanchecker is missing")
    monkeypatch.setattr(doctor, "contributed", lambda: iter([note]))
    require_tier("audited")
    with pytest.raises(BusError, match="'replayed': leanchecker is missing"):
        require_tier("replayed")
    good = Finding(tier_finding("replayed"), "ok", "there")
    monkeypatch.setattr(doctor, "contributed", lambda: iter([good]))
    require_tier("replayed")
