import os

import pytest

from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.native import (
    NATIVE_STAMP,
    elan_home,
    find_program,
    locate_native,
    mathlib_revision,
    native_digest,
    require_native,
    toolchain_folder,
    why_not_native,
)
from suites.native_stub import COMMIT, MATHLIB, built, executable


def test_a_built_toolchain_is_found(tmp_path):
    folder = built(tmp_path)
    found = locate_native(tmp_path)
    assert found is not None
    assert (found.lean_version, found.commit, found.mathlib) == ("4.28.0-rc1", COMMIT, MATHLIB)
    assert found.checker == folder / ".lake" / "build" / "bin" / "checker"
    assert found.exporter.name == "exporter"
    assert len(found.digest) == 64
    assert set(found.readable) == {folder, tmp_path / "sysroot"}
    assert why_not_native(tmp_path) == ""


def test_its_environment_holds_nothing_of_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "value")
    built(tmp_path)
    environment = require_native(tmp_path).environment()
    assert set(environment) == {"PATH", "LEAN_SYSROOT", "LEAN_PATH", "LD_LIBRARY_PATH"}
    assert environment["PATH"].split(os.pathsep)[0] == str(tmp_path / "sysroot" / "bin")


def test_programs_of_lean_are_found_where_it_has_them(tmp_path):
    built(tmp_path)
    assert require_native(tmp_path).program("leanchecker") is None
    executable(tmp_path / "sysroot" / "bin" / "leanchecker", "exit 1")
    assert require_native(tmp_path).program("leanchecker") is not None


def spoil_stamp(folder):
    (folder / NATIVE_STAMP).unlink()


def spoil_manifest(folder):
    (folder / "lake-manifest.json").write_text('{"packages": []}')


def spoil_program(folder):
    (folder / ".lake" / "build" / "bin" / "checker").write_text("longer than it was before")


def lose_lean(folder):
    (folder.parents[1] / "sysroot" / "bin" / "lean").unlink()


@pytest.mark.parametrize(
    ("spoil", "word"),
    [(spoil_stamp, "nothing whole"), (spoil_manifest, "nothing whole"),
     (spoil_program, "changed after"), (lose_lean, "no longer")],
)  # fmt: skip
def test_what_is_not_whole_is_not_found(tmp_path, spoil, word):
    spoil(built(tmp_path))
    assert locate_native(tmp_path) is None
    assert word in why_not_native(tmp_path)
    with pytest.raises(ToolchainMissing, match="ragsolver lean install --native"):
        require_native(tmp_path)


@pytest.mark.parametrize(
    ("changes", "word"),
    [({"sources": "0" * 64}, "other sources"), ({"lean_version": "4.27.0"}, "4.27.0, not 4.28")],
)
def test_what_is_out_of_date_is_not_found(tmp_path, changes, word):
    built(tmp_path, **changes)
    assert word in why_not_native(tmp_path)


def test_the_digest_depends_on_every_part():
    digests = {
        native_digest(*parts)
        for parts in [("1", "c", b"m", "s"), ("2", "c", b"m", "s"), ("1", "d", b"m", "s"),
                      ("1", "c", b"n", "s"), ("1", "c", b"m", "t")]
    }  # fmt: skip
    assert len(digests) == 5


def test_a_manifest_without_mathlib_is_an_error():
    with pytest.raises(KeyError):
        mathlib_revision(b'{"packages": []}')


def test_elan_is_looked_for_in_its_own_folder_first(tmp_path, monkeypatch):
    monkeypatch.setenv("ELAN_HOME", str(tmp_path / "elan"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_program("lake") is None
    other = executable(tmp_path / "bin" / "lake", "exit 1")
    assert find_program("lake") == other
    own = executable(tmp_path / "elan" / "bin" / "lake", "exit 1")
    assert find_program("lake") == own
    assert toolchain_folder("leanprover/lean4:v4.28.0-rc1") == (
        tmp_path / "elan" / "toolchains" / "leanprover--lean4---v4.28.0-rc1"
    )
    monkeypatch.delenv("ELAN_HOME")
    assert elan_home().name == ".elan"
