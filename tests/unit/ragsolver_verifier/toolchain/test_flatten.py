from pathlib import Path

import pytest

from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.toolchain.flatten import flatten, imported


def write(folder: Path, **files: str) -> Path:
    """Write `P.lean` from `main` and `P/<Name>.lean` from the others."""
    (folder / "P").mkdir()
    for name, text in files.items():
        path = folder / "P.lean" if name == "main" else folder / "P" / f"{name}.lean"
        path.write_text(text, "utf-8")
    return folder / "P.lean"


def test_parts_come_once_each_after_those_that_they_import(tmp_path: Path) -> None:
    program = write(
        tmp_path,
        main="module\npublic import P.B\npublic import P.C\nimport Std\n\ndef main := c\n",
        C="module\npublic import P.A\npublic import Lean.Data.Json\n\ndef c := a\n",
        B="module\n\npublic import P.A\npublic  import Init.Core\ndef b := a\n",
        A='module\n/-! a -/\ndef a := "∀"\n',
    )
    assert flatten(program) == (
        "module\npublic import Init.Core\npublic import Lean.Data.Json\nimport Std\n\n"
        '-- P/A.lean from line 2\n/-! a -/\ndef a := "∀"\n\n'
        "-- P/B.lean from line 5\ndef b := a\n\n"
        "-- P/C.lean from line 5\ndef c := a\n\n"
        "-- P.lean from line 6\ndef main := c\n"
    )


def test_an_import_of_two_parts_is_written_once(tmp_path: Path) -> None:
    part = "module\npublic import Std\n"
    program = write(tmp_path, main="module\nimport P.A\nimport P.B\n", A=part, B=part)
    assert flatten(program).count("import Std") == 1


def test_a_program_without_parts_stays_as_it_is(tmp_path: Path) -> None:
    text = "module\n\nimport Std\npublic import Pretty.Much\n-- import P.A is said here\n"
    assert flatten(write(tmp_path, main=text, A="module\n")) == text


def test_a_part_of_a_part_is_found_in_its_folder(tmp_path: Path) -> None:
    program = write(tmp_path, main="module\nimport P.A.B\n")
    (tmp_path / "P" / "A").mkdir()
    (tmp_path / "P" / "A" / "B.lean").write_text("module\ndef deep := 1\n")
    assert "-- P/A/B.lean from line 2\ndef deep := 1\n" in flatten(program)


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"P.Gone\.lean"):
        flatten(write(tmp_path, main="module\nimport P.Gone\n"))


def test_what_a_source_imports() -> None:
    text = "module\npublic import A.B\nimport C\npublic meta import D\n-- import E\nimport C\n"
    assert imported(text) == ["A.B", "C", "D"]


def test_every_part_of_the_checker_is_in_it() -> None:
    program = resource_dir("lean_project") / "Checker.lean"
    text = flatten(program)
    parts = [path.stem for path in program.with_suffix("").glob("*.lean")]
    assert "Kernel" in parts
    missing = [part for part in parts if f"-- Checker/{part}.lean from line" not in text]
    assert not missing
    assert text.count("\nmodule\n") == 0
    assert not [name for name in imported(text) if name.startswith("Checker.")]
