import os
import subprocess
from pathlib import Path

import pytest

from ragsolver_verifier.toolchain import repl_layout as layouts
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain


@pytest.fixture
def toolchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EmbeddedToolchain:
    script = "echo answer; echo noise >&2; env | grep -c '^SECRET='"
    monkeypatch.setattr(
        layouts, "program_argv", lambda tc, program, args: ["/bin/sh", "-c", script]
    )
    return EmbeddedToolchain(tmp_path / "tc", "4.28.0-pre", "c", "p", "d")


def test_it_starts_the_program_as_lean_interact_does(
    toolchain: EmbeddedToolchain, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    layout = layouts.repl_layout(toolchain, Path("P.lean"), log=log)
    repl = layout.local_repl_path / ".lake" / "build" / "bin" / "repl"
    result = subprocess.run(
        [layout.lake_path, "env", repl],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SECRET": "x"},
    )
    assert result.stdout == "answer\n0\n"
    assert result.stderr == ""
    assert log.read_text() == "noise\n"


def test_it_tells_lean_interact_the_version(toolchain: EmbeddedToolchain) -> None:
    layout = layouts.repl_layout(toolchain, Path("P.lean"))
    version = (layout.local_repl_path / "lean-toolchain").read_text()
    assert version == "leanprover/lean4:v4.28.0-pre\n"
    said = subprocess.run([layout.lake_path, "--version"], capture_output=True, check=True)
    assert b"4.28.0-pre" in said.stdout
    other = subprocess.run([layout.lake_path, "update"], capture_output=True, check=False)
    assert other.returncode == 1


def test_the_same_program_has_the_same_layout(toolchain: EmbeddedToolchain) -> None:
    one = layouts.repl_layout(toolchain, Path("P.lean"))
    assert layouts.repl_layout(toolchain, Path("P.lean")) == one
    assert layouts.repl_layout(toolchain, Path("P.lean"), log=Path("log")) != one
    left = sorted(path.name for path in one.local_repl_path.parent.iterdir())
    assert not [name for name in left if name.startswith(".new-")]


def test_a_sandbox_comes_first_and_no_file_can_grow(
    toolchain: EmbeddedToolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown = tmp_path / "grown"
    script = f"echo $0; ulimit -c; echo text >{grown}"
    monkeypatch.setattr(layouts, "program_argv", lambda *_: ["/bin/sh", "-c", script, "inner"])
    layout = layouts.repl_layout(toolchain, Path("P.lean"), prefix=["/usr/bin/env", "A=1"])
    repl = layout.local_repl_path / ".lake" / "build" / "bin" / "repl"
    assert "env -i /usr/bin/env A=1 /bin/sh" in repl.read_text()
    result = subprocess.run([repl], capture_output=True, text=True, check=False)
    assert result.stdout == "inner\n0\n"
    assert grown.stat().st_size == 0
