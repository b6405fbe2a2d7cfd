import subprocess
from pathlib import Path

import pytest

from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.toolchain import compile as compiling
from ragsolver_verifier.toolchain.compile import compile_program, loader_source
from ragsolver_verifier.toolchain.digests import file_sha256
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.locate import COMPILER_VERSION, EmbeddedToolchain, find_compiled

LOADER = "module\npublic meta import Lean.Elab.Command\n"


class Lean:
    """Stands for `lean -o`."""

    def __init__(self) -> None:
        self.stdout = b"olean code"
        self.runs = 0
        self.argv: list[str] = []

    def __call__(self, argv: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        self.runs += 1
        self.argv = argv
        return subprocess.CompletedProcess(argv, 0, self.stdout, b"P.lean:3:1: error: no")


@pytest.fixture
def lean(monkeypatch: pytest.MonkeyPatch) -> Lean:
    lean = Lean()
    monkeypatch.setattr(compiling, "run_group", lean)
    monkeypatch.setattr(compiling, "runner_argv", lambda root, mode, files: [mode, *files])
    return lean


@pytest.fixture
def toolchain(tmp_path: Path) -> EmbeddedToolchain:
    return EmbeddedToolchain(tmp_path / "lean" / "0", "4.28.0-pre", "c", "p", "d")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "Loader.lean").write_text(LOADER)
    path = tmp_path / "P.lean"
    path.write_text("module\npublic import Lean.Data.Json\n")
    return path


def test_a_program_is_compiled_once(
    lean: Lean, toolchain: EmbeddedToolchain, program: Path
) -> None:
    loader = program.with_name("Loader.lean")
    compiled = compile_program(toolchain, program, loader)
    assert compile_program(toolchain, program, loader) == compiled
    assert lean.runs == 1
    assert compiled.code.read_bytes() == b"olean code"
    assert "public import Lean.Data.Json" in compiled.loader.read_text()
    assert find_compiled(toolchain, program) == compiled


def test_another_source_is_another_program(
    lean: Lean, toolchain: EmbeddedToolchain, program: Path
) -> None:
    loader = program.with_name("Loader.lean")
    compile_program(toolchain, program, loader)
    program.write_text("module\n-- changed\n")
    assert find_compiled(toolchain, program) is None
    compile_program(toolchain, program, loader)
    assert lean.runs == 2


def test_a_program_with_parts_is_compiled_as_one_file(
    lean: Lean, toolchain: EmbeddedToolchain, program: Path
) -> None:
    program.write_text("module\npublic import P.Part\npublic def main := part\n")
    part = program.with_name("P") / "Part.lean"
    part.parent.mkdir()
    part.write_text("module\npublic import Std\npublic def part := 1\n")
    loader = program.with_name("Loader.lean")
    compiled = compile_program(toolchain, program, loader)
    assert "P.Part" not in compiled.loader.read_text()
    assert "public import Std" in compiled.loader.read_text()
    joined = Path(lean.argv[1])
    assert joined.is_relative_to(toolchain.root.parent)
    assert "part := 1" in joined.read_text()
    part.write_text("module\npublic def part := 2\n")
    assert find_compiled(toolchain, program) is None
    lean.stdout = b""
    with pytest.raises(ToolchainError, match=r"lines are those of .*[0-9a-f]{32}\.lean\)"):
        compile_program(toolchain, program, loader)


def test_a_program_that_does_not_compile_is_an_error_with_leans_words(
    lean: Lean, toolchain: EmbeddedToolchain, program: Path
) -> None:
    lean.stdout = b""
    with pytest.raises(ToolchainError, match=r"P\.lean:3:1: error: no"):
        compile_program(toolchain, program, program.with_name("Loader.lean"))
    assert find_compiled(toolchain, program) is None


def test_the_loader_imports_what_the_program_imports() -> None:
    program = (
        "module\npublic import A.B\nimport C\npublic meta import D\n-- import E x\nimport C\n"
    )
    assert loader_source(LOADER, program) == (
        "module\npublic import A.B\npublic import C\npublic import D\n"
        "public meta import Lean.Elab.Command\n"
    )


def test_a_changed_loader_raises_the_compilers_version() -> None:
    loader = resource_dir("lean_project") / "Loader.lean"
    assert (COMPILER_VERSION, file_sha256(loader)[:16]) == (1, "d84d862d13e40063"), (
        "compiled programs keep their loader: raise COMPILER_VERSION and update this pair"
    )
