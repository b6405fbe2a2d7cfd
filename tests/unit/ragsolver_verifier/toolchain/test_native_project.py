import tomllib

import pytest

from ragsolver_verifier.toolchain.native_project import (
    LAKEFILE,
    PROGRAMS,
    pinned_mathlib,
    pinned_toolchain,
    pinned_version,
    project_folder,
    project_sources,
    sources_digest,
    write_project,
)


def test_lean_and_mathlib_are_pinned_to_one_version():
    sources = project_sources()
    assert pinned_toolchain(sources) == "leanprover/lean4:v4.28.0-rc1"
    assert pinned_mathlib(sources) == f"v{pinned_version(sources)}"


def test_the_lake_file_builds_the_programs_from_files_that_are_there():
    sources = project_sources()
    table = tomllib.loads(sources[LAKEFILE].decode())
    assert set(table) == {"name", "version", "defaultTargets", "require", "lean_lib", "lean_exe"}
    assert [exe["name"] for exe in table["lean_exe"]] == list(PROGRAMS) == table["defaultTargets"]
    for exe in table["lean_exe"]:
        assert f"{exe['root']}.lean" in sources
        assert exe["supportInterpreter"] is True
        assert set(exe) == {"name", "root", "supportInterpreter"}
    for library in table["lean_lib"]:
        assert f"{library['name']}/Serve.lean" in sources


def test_every_part_that_is_imported_is_among_the_sources():
    sources = project_sources()
    for name, content in sources.items():
        for line in content.decode().splitlines():
            if line.startswith("public import Checker."):
                assert f"Checker/{line.rpartition('.')[2]}.lean" in sources, name


def test_a_lake_file_without_mathlib_is_an_error():
    with pytest.raises(ValueError, match="pins no revision"):
        pinned_mathlib({LAKEFILE: b'name = "x"'})


def test_the_folder_is_named_by_the_pin(tmp_path):
    assert project_folder(tmp_path) == tmp_path / "lean" / "native-4.28.0-rc1"


def test_sources_are_written_once_and_stale_parts_removed(tmp_path):
    sources = {"Checker.lean": b"a", "Checker/Part.lean": b"b"}
    write_project(tmp_path, sources)
    before = (tmp_path / "Checker.lean").stat().st_mtime_ns
    (tmp_path / "Checker" / "Gone.lean").write_text("x")
    write_project(tmp_path, {**sources, "Checker/Part.lean": b"c"})
    assert (tmp_path / "Checker.lean").stat().st_mtime_ns == before
    assert (tmp_path / "Checker" / "Part.lean").read_bytes() == b"c"
    assert not (tmp_path / "Checker" / "Gone.lean").exists()


def test_the_digest_tells_names_from_contents():
    assert sources_digest({"a": b"b"}) == sources_digest({"a": b"b"})
    assert sources_digest({"a": b"bc"}) != sources_digest({"ab": b"c"})
