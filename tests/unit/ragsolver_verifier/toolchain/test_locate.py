import json
import resource
from pathlib import Path

import pytest

from ragsolver_verifier.toolchain import locate as located
from ragsolver_verifier.toolchain import pins
from ragsolver_verifier.toolchain.errors import ToolchainMissing

STAMP = {
    "lean_version": "4.28.0-pre",
    "commit": "c" * 40,
    "package": pins.PACKAGE,
    "digest": "d" * 64,
    "sizes": {"lean.js": 2},
}


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    root = located.install_folder(tmp_path)
    (root / "lib").mkdir(parents=True)
    (root / "lib" / "Init.olean").touch()
    (root / "lean.js").write_text("js")
    (root / "stamp.json").write_text(json.dumps(STAMP))
    return tmp_path


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(located, "node_path", lambda: Path("/node"))


def test_a_whole_installation_is_found(cache: Path) -> None:
    found = located.require(cache)
    assert (found.lean_version, found.digest) == ("4.28.0-pre", "d" * 64)
    assert found.root == located.install_folder(cache).resolve()


@pytest.mark.parametrize("lost", ["stamp.json", "lean.js", "lib/Init.olean"])
def test_an_incomplete_one_is_missing(cache: Path, lost: str) -> None:
    (located.install_folder(cache) / lost).unlink()
    assert located.locate(cache) is None
    with pytest.raises(ToolchainMissing, match="ragsolver lean install"):
        located.require(cache)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sizes": 3}'])
def test_a_broken_stamp_is_no_installation(cache: Path, text: str) -> None:
    (located.install_folder(cache) / "stamp.json").write_text(text)
    assert located.locate(cache) is None


def test_a_file_of_another_size_is_no_installation(cache: Path) -> None:
    (located.install_folder(cache) / "lean.js").write_text("cut off")
    assert located.locate(cache) is None


@pytest.mark.usefixtures("node")
def test_a_program_runs_from_source_until_it_is_compiled(cache: Path) -> None:
    toolchain = located.require(cache)
    program = cache / "P.lean"
    program.write_text("module")
    argv = located.program_argv(toolchain, program, ["a"])
    assert argv[-4:] == [str(toolchain.root), "run", str(program.resolve()), "a"]
    compiled = located.CompiledProgram(located.compiled_folder(toolchain, program))
    compiled.folder.mkdir(parents=True)
    compiled.code.touch()
    compiled.loader.touch()
    argv = located.program_argv(toolchain, program, ["a"])
    assert argv[-4:] == ["load", str(compiled.loader), str(compiled.code), "a"]
    program.write_text("module -- changed")
    assert "run" in located.program_argv(toolchain, program)


@pytest.mark.usefixtures("node")
def test_a_program_with_parts_runs_from_one_file_in_the_cache(cache: Path) -> None:
    toolchain = located.require(cache)
    program = cache / "source" / "P.lean"
    part = program.with_suffix("") / "Part.lean"
    part.parent.mkdir(parents=True)
    program.write_text("module\npublic import P.Part\n")
    part.write_text("module\n-- one\n")
    joined = Path(located.program_argv(toolchain, program)[-1])
    assert joined.is_relative_to(toolchain.root.parent)
    assert "-- one" in joined.read_text()
    assert located.single_file(toolchain, program) == joined
    part.write_text("module\n-- two\n")
    assert located.single_file(toolchain, program) != joined
    left = {path.name for path in joined.parent.iterdir()}
    assert not [name for name in left if name.startswith(".new-")]


@pytest.mark.usefixtures("node")
def test_node_may_read_the_toolchain_and_the_program_only(cache: Path) -> None:
    toolchain = located.require(cache)
    program = cache / "P.lean"
    program.touch()
    argv = located.program_argv(toolchain, program)
    allowed = [flag.partition("=")[2] for flag in argv if flag.startswith("--allow-")]
    scripts = [
        str(Path(located.__file__).with_name(name))
        for name in ("runner.js", "library.js", "thread.js")
    ]
    assert allowed == ["", str(toolchain.root), *scripts, str(program.resolve())]
    assert "--permission" in argv
    assert not any("write" in flag for flag in argv)


def test_processes_start_with_nothing_of_our_environment() -> None:
    assert set(located.clean_environment()) == {"PATH"}


@pytest.mark.parametrize(
    ("given", "kib"),
    [
        (8 * 1024**2, 6144),
        (1024**2, 984),
        (resource.RLIM_INFINITY, 49152),
        (1024**3, 49152),
    ],
)
def test_node_may_use_most_of_the_systems_stack(monkeypatch, tmp_path, node, given, kib):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (given, resource.RLIM_INFINITY))
    assert f"--stack-size={kib}" in located.runner_argv(tmp_path, "run", [tmp_path / "P.lean"])
