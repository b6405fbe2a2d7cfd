import io
import tarfile
from pathlib import Path

import pytest

from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.unpack import unpack_library, unpack_package


def archive_of(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path


PACKAGE = {
    "package/lean.js": b"js",
    "package/lean.wasm": b"wasm",
    "package/lean-lib.tar.gz": b"gz",
    "package/package.json": b"{}",
}


def test_the_three_files_come_out_without_their_folder(tmp_path: Path) -> None:
    unpack_package(archive_of(tmp_path / "p.tgz", PACKAGE), tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["lean-lib.tar.gz", "lean.js", "lean.wasm"]


def test_a_package_without_a_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    files = {name: data for name, data in PACKAGE.items() if "wasm" not in name}
    with pytest.raises(ToolchainError, match=r"package/lean\.wasm"):
        unpack_package(archive_of(tmp_path / "p.tgz", files), tmp_path / "out")


def test_resource_files_are_left_out_of_the_library(tmp_path: Path) -> None:
    files = {"Init.olean": b"o", "._Init.olean": b"x", "Init/Core.olean": b"o", "Init/._C": b"x"}
    target = tmp_path / "lib"
    count = unpack_library(archive_of(tmp_path / "l.tgz", files), target, lambda _: None)
    found = sorted(p.relative_to(target).as_posix() for p in target.rglob("*") if p.is_file())
    assert found == ["Init.olean", "Init/Core.olean"]
    assert count == 2


def test_a_member_outside_the_target_is_refused(tmp_path: Path) -> None:
    archive = archive_of(tmp_path / "l.tgz", {"Init.olean": b"o", "../evil": b"x"})
    with pytest.raises(ToolchainError, match="evil"):
        unpack_library(archive, tmp_path / "lib", lambda _: None)
    assert not (tmp_path / "evil").exists()


def test_a_cut_archive_is_an_error(tmp_path: Path) -> None:
    whole = archive_of(tmp_path / "l.tgz", {"Init.olean": bytes(range(256)) * 40})
    (tmp_path / "cut.tgz").write_bytes(whole.read_bytes()[:-30])
    with pytest.raises(ToolchainError, match=r"cut\.tgz"):
        unpack_library(tmp_path / "cut.tgz", tmp_path / "lib", lambda _: None)


def test_a_library_without_init_is_refused(tmp_path: Path) -> None:
    archive = archive_of(tmp_path / "l.tgz", {"Other.olean": b"o"})
    with pytest.raises(ToolchainError, match=r"Init\.olean"):
        unpack_library(archive, tmp_path / "lib", lambda _: None)
