"""The order of the steps and what their failures say; elan and lake are small scripts here."""

import json

import pytest
from filelock import FileLock

from ragsolver_verifier.toolchain import native_install
from ragsolver_verifier.toolchain.errors import ToolchainError, ToolchainMissing
from ragsolver_verifier.toolchain.native import NATIVE_STAMP
from ragsolver_verifier.toolchain.native_install import (
    install_native,
    lake_variables,
    step_environment,
)
from ragsolver_verifier.toolchain.native_project import project_folder
from suites.native_stub import MANIFEST, built, executable

VERSION = "Lean (version 4.28.0-rc1, x86_64-unknown-linux-gnu, commit " + "c" * 40 + ", Release)"
LAKE = """\
echo "$@" >>"$CALLS"
case "$*" in
  "update --keep-toolchain") echo '{manifest}' >lake-manifest.json ;;
  "exe cache get") printf '\\rDownloaded: 1 file(s) [attempted 1/2 = 50%%]'; {cache} ;;
  "build checker exporter")
    mkdir -p .lake/build/bin; echo 1 >.lake/build/bin/checker; echo 2 >.lake/build/bin/exporter ;;
  "env lean --version") echo "{version}" ;;
  env) echo "LEAN_SYSROOT={sysroot}"; echo "LEAN_PATH=a:b" ;;
  *) exit 9 ;;
esac
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ELAN_HOME", str(tmp_path / "elan"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.setattr(native_install, "NEEDED_DISK", 1)
    executable(tmp_path / "sysroot" / "bin" / "lean", "exit 1")
    return tmp_path


def write_tools(home, *, version=VERSION, cache=":", elan=":"):
    values = {"manifest": json.dumps(MANIFEST), "version": version, "cache": cache}
    script = LAKE.format(sysroot=home / "sysroot", **values)
    executable(home / "elan" / "bin" / "lake", script)
    executable(home / "elan" / "bin" / "elan", f'echo "elan $@" >>"$CALLS"; {elan}')


def calls(home):
    return (home / "calls").read_text().splitlines()


def test_every_step_is_made_in_order_and_reported(home):
    write_tools(home)
    reports = []
    found = install_native(reports.append, cache=home)
    assert calls(home) == [
        "elan toolchain install leanprover/lean4:v4.28.0-rc1",
        "update --keep-toolchain",
        "exe cache get",
        "build checker exporter",
        "env lean --version",
        "env",
    ]
    assert (found.lean_version, found.lean_path) == ("4.28.0-rc1", ("a", "b"))
    steps = list(dict.fromkeys(progress.step for progress in reports))
    assert steps == ["toolchain", "packages", "cache", "build", "probe", "done"]
    assert any((p.done, p.total) == (1, 2) for p in reports)


def test_what_is_ready_is_not_made_again(home):
    built(home)
    assert install_native(cache=home).lean_version == "4.28.0-rc1"


def test_by_force_everything_is_made_again_with_the_same_packages(home):
    built(home)
    write_tools(home)
    install_native(cache=home, force=True)
    assert "exe cache get" in calls(home)
    assert "update --keep-toolchain" not in calls(home)


def test_without_elan_it_is_said_how_to_get_it(home):
    home.joinpath("none").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(home / "none"))
        with pytest.raises(ToolchainMissing, match="apt install elan"):
            install_native(cache=home)


def test_a_step_that_fails_says_which_and_what_to_do(home):
    write_tools(home, elan="echo 'error: Could not resolve host: github.com' >&2; exit 1")
    with pytest.raises(ToolchainError) as caught:
        install_native(cache=home)
    said = str(caught.value)
    assert "`elan toolchain install leanprover/lean4:v4.28.0-rc1`" in said
    assert "exit code 1" in said
    assert "There is no way to the network" in said
    assert not (project_folder(home) / NATIVE_STAMP).exists()


def test_a_failed_cache_leaves_nothing_that_looks_whole(home):
    built(home)
    write_tools(home, cache="echo 'uncaught exception: leantar failed'; exit 1")
    with pytest.raises(ToolchainError, match=r"(?s)cache get.*what came is kept"):
        install_native(cache=home, force=True)
    assert not (project_folder(home) / NATIVE_STAMP).exists()


def test_another_version_than_the_pinned_one_is_an_error(home):
    write_tools(home, version=VERSION.replace("4.28.0-rc1", "4.27.0"))
    with pytest.raises(ToolchainError, match=r"4\.27\.0, and 4\.28\.0-rc1 is pinned"):
        install_native(cache=home)


def test_too_little_disk_is_said_before_anything_is_fetched(home, monkeypatch):
    write_tools(home)
    monkeypatch.setattr(native_install, "NEEDED_DISK", 1024**5)
    with pytest.raises(ToolchainError, match="RAGSOLVER_CACHE"):
        install_native(cache=home)
    assert not (home / "calls").exists()


def test_two_installations_do_not_meet(home):
    write_tools(home)
    folder = project_folder(home)
    folder.parent.mkdir(parents=True)
    with (
        FileLock(folder.with_suffix(".lock")),
        pytest.raises(ToolchainError, match="another installation"),
    ):
        install_native(cache=home)


def test_lake_must_name_the_library():
    with pytest.raises(ToolchainError, match="no LEAN_PATH"):
        lake_variables("LEAN_SYSROOT=/x\nLEAN_PATH=\n")


def test_mathlib_is_fetched_in_a_step_of_its_own():
    assert step_environment()["MATHLIB_NO_CACHE_ON_UPDATE"] == "1"
