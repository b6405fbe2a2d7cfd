import os
import subprocess
from pathlib import Path

import pytest

from ragsolver_verifier import sandbox as module
from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.sandbox import (
    Sandbox,
    View,
    find_sandbox,
    require_confined,
    shared_libraries,
    try_sandbox,
)

SHELL = Path("/bin/sh")


@pytest.fixture
def bwrap(tmp_path, monkeypatch):
    """A `bwrap` of one's own: a shell script."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def write(script):
        path = tmp_path / "bwrap"
        path.write_text(f"#!{SHELL}\n{script}\n")
        path.chmod(0o755)
        return path

    return write


def test_what_is_missing_is_named_with_its_remedy(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(IsolationError, match=r"bubblewrap is missing: install .* bubblewrap"):
        find_sandbox()


def test_an_installed_one_tells_its_version(bwrap):
    path = bwrap("echo bubblewrap 0.8.0")
    assert find_sandbox() == Sandbox(path, "0.8.0")


@pytest.mark.parametrize("script", ["echo something else", "exit 3"])
def test_what_only_has_its_name_is_none(bwrap, script):
    bwrap(script)
    with pytest.raises(IsolationError, match="does not say"):
        find_sandbox()


def test_a_refusal_by_the_kernel_is_told(bwrap):
    path = bwrap("echo No permissions to create new namespace >&2; exit 1")
    with pytest.raises(IsolationError, match=r"0\.8\.0 does not work here: No permissions"):
        try_sandbox(Sandbox(path, "0.8.0"), View(()), ["/true"])


def test_what_cannot_be_started_is_told(tmp_path):
    with pytest.raises(IsolationError, match="does not run"):
        try_sandbox(Sandbox(tmp_path / "bwrap", "0.8.0"), View(()), ["/true"])


def test_only_the_view_is_bound_and_only_for_reading():
    view = View((Path("/b/c"), Path("/b")), {"A": "1"}, devices=("/dev/null",))
    prefix = Sandbox(Path("/usr/bin/bwrap"), "0.8.0").prefix(view)
    text = " ".join(prefix)
    assert "--ro-bind /b /b --ro-bind /b/c /b/c --dev-bind /dev/null /dev/null" in text
    assert "--clearenv --setenv A 1" in text
    assert text.endswith("--remount-ro / --chdir / --")
    assert "--bind" not in prefix
    assert "--proc" not in prefix
    for name in ("user", "pid", "net", "ipc", "uts"):
        assert f"--unshare-{name}" in prefix
    assert "--die-with-parent" in prefix


def test_an_old_version_is_not_asked_for_what_it_cannot_do():
    view = View((), proc=True)
    assert "--disable-userns" in Sandbox(Path("bwrap"), "0.10.0").prefix(view)
    old = Sandbox(Path("bwrap"), "0.6.1").prefix(view)
    assert "--disable-userns" not in old
    assert "--proc" in old


def test_the_libraries_of_a_program_are_found():
    found = shared_libraries(SHELL)
    assert any(path.name.startswith("libc.") for path in found)
    assert any(path.name.startswith("ld-") for path in found)
    assert all(path.exists() for path in found)


def test_what_is_no_program_has_no_libraries(tmp_path):
    script = tmp_path / "script"
    script.write_text("text")
    with pytest.raises(IsolationError, match="cannot be told"):
        shared_libraries(script)


def test_a_process_in_our_own_namespaces_is_not_confined():
    script = [SHELL, "-c", "sleep 60 & echo started; wait"]
    with subprocess.Popen(script, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"started\n"
            with pytest.raises(IsolationError, match="shares our user namespace"):
                require_confined(process.pid, SHELL)
            with pytest.raises(IsolationError, match="not the sandbox"):
                require_confined(process.pid, Path("/proc/self/exe"))
        finally:
            for member in reversed(module.tree(process.pid)):
                os.kill(member, 9)


def test_a_process_that_is_gone_is_not_confined():
    with pytest.raises(IsolationError, match="cannot be looked at"):
        require_confined(2**22 - 1, SHELL)


def test_a_folder_to_write_to_is_said_so():
    view = View((Path("/lib"),), writable=(Path("/out"),))
    argv = Sandbox(Path("/bwrap"), "0.8.0").prefix(view)
    at = argv.index("--bind")
    assert argv[at : at + 3] == ("--bind", "/out", "/out")
    assert "--bind" not in Sandbox(Path("/bwrap"), "0.8.0").prefix(View((Path("/lib"),)))
