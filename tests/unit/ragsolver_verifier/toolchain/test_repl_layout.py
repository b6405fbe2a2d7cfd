import errno
import os
import subprocess
import tempfile
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


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, beside a cache that cannot be written."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(layouts.tempfile, "gettempdir", lambda: str(folder))
    real = tempfile.mkdtemp

    def _mkdtemp(dir: Path, prefix: str) -> str:  # noqa: A002 - the library's own name
        if folder not in Path(dir).parents:
            raise OSError(errno.EROFS, "Read-only file system", str(dir))
        return real(dir=dir, prefix=prefix)

    monkeypatch.setattr(layouts.tempfile, "mkdtemp", _mkdtemp)
    return folder


def test_beside_a_cache_that_cannot_be_written_it_stands_in_a_folder_of_its_own(
    toolchain: EmbeddedToolchain, scratch: Path
) -> None:
    first = layouts.repl_layout(toolchain, Path("P.lean"))
    assert first == layouts.repl_layout(toolchain, Path("P.lean"))
    assert first.local_repl_path.parent.parent == scratch
    assert first.lake_path.is_file()
    assert first.local_repl_path.parent.stat().st_mode & 0o077 == 0


def test_a_folder_that_others_could_have_filled_is_not_used(
    toolchain: EmbeddedToolchain, scratch: Path
) -> None:
    (scratch / f"ragsolver-repl-{os.getuid()}").mkdir(mode=0o755)
    with pytest.raises(PermissionError, match="open to others: remove it"):
        layouts.repl_layout(toolchain, Path("P.lean"))


def test_a_full_disk_is_not_got_around(
    toolchain: EmbeddedToolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def _full(**_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(layouts.tempfile, "mkdtemp", _full)
    with pytest.raises(OSError, match="No space left"):
        layouts.repl_layout(toolchain, Path("P.lean"))
