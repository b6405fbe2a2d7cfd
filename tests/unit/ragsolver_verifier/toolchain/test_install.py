import os
import threading
from pathlib import Path

import pytest
from filelock import FileLock

from ragsolver_verifier.toolchain import fetch as fetching
from ragsolver_verifier.toolchain import install as installing
from ragsolver_verifier.toolchain.digests import integrity
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.install import install
from ragsolver_verifier.toolchain.locate import install_folder, lean_cache, locate
from ragsolver_verifier.toolchain.progress import InstallProgress, Report

COMMIT = "38f3c0c45b8d" + "0" * 28


class Parts:
    """Stands for the registry, the package's content and the start of Lean."""

    def __init__(self) -> None:
        self.downloads = 0
        self.fail_in: str | None = None
        self.commit = COMMIT

    def download(self, folder: Path, report: Report) -> Path:
        self.downloads += 1
        (folder / "a.tgz").write_bytes(b"archive")
        return folder / "a.tgz"

    def build(self, archive: Path, tree: Path, report: Report) -> None:
        (tree / "lean.js").write_text("js")
        if self.fail_in == "build":
            raise KeyboardInterrupt
        for name in ("lean.wasm", "syms.bin", "lib/Init.olean"):
            (tree / name).parent.mkdir(exist_ok=True)
            (tree / name).write_text(name)

    def probe(self, tree: Path) -> str:
        if self.fail_in == "probe":
            raise ToolchainError("Lean did not start")
        return self.commit


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Parts:
    parts = Parts()
    archive = tmp_path_factory.mktemp("pinned") / "archive"
    archive.write_bytes(b"archive")
    pinned = integrity(archive)

    def fetch(staging: Path, report: Report, download: fetching.Download) -> Path:
        return fetching.fetch(staging, report, download, pinned)

    monkeypatch.setattr(installing, "build_tree", parts.build)
    monkeypatch.setattr(installing, "probe", parts.probe)
    monkeypatch.setattr(installing, "fetch", fetch)
    return parts


def test_an_installation_appears_whole_and_once(parts: Parts, tmp_path: Path) -> None:
    steps: list[str] = []
    found = install(lambda p: steps.append(p.step), tmp_path, download=parts.download)
    assert found == locate(tmp_path)
    assert found.commit == COMMIT
    assert list(dict.fromkeys(steps)) == ["verify", "probe", "done"]
    assert not (lean_cache(tmp_path) / "staging").exists()
    assert install(None, tmp_path, download=parts.download) == found
    assert parts.downloads == 1


def test_installed_files_are_read_only(parts: Parts, tmp_path: Path) -> None:
    found = install(None, tmp_path, download=parts.download)
    assert (found.root / "lib" / "Init.olean").stat().st_mode & 0o222 == 0


@pytest.mark.parametrize("where", ["build", "probe"])
def test_after_a_kill_the_next_one_goes_on_from_the_archive(
    parts: Parts, tmp_path: Path, where: str
) -> None:
    parts.fail_in = where
    with pytest.raises((KeyboardInterrupt, ToolchainError)):
        install(None, tmp_path, download=parts.download)
    assert locate(tmp_path) is None
    assert not install_folder(tmp_path).exists()
    parts.fail_in = None
    assert install(None, tmp_path, download=parts.download) == locate(tmp_path)
    assert parts.downloads == 1


def test_force_installs_again(parts: Parts, tmp_path: Path) -> None:
    first = install(None, tmp_path, download=parts.download)
    parts.commit = COMMIT[:-1] + "1"
    again = install(None, tmp_path, force=True, download=parts.download)
    assert parts.downloads == 2
    assert again.commit != first.commit
    assert again.digest != first.digest


def test_a_second_installer_waits_and_takes_the_first_ones_result(
    parts: Parts, tmp_path: Path
) -> None:
    lean_cache(tmp_path).mkdir()
    lock = FileLock(lean_cache(tmp_path) / "install.lock", thread_local=False)
    lock.acquire()
    waiting = threading.Event()
    results: list[object] = []

    def report(progress: InstallProgress) -> None:
        if progress.step == "wait":
            waiting.set()

    second = threading.Thread(
        target=lambda: results.append(install(report, tmp_path, force=True, download=refuse))
    )
    second.start()
    try:
        assert waiting.wait(20)
        found = installing._install_locked(
            lean_cache(tmp_path) / "staging", install_folder(tmp_path), report, parts.download
        )
    finally:
        lock.release()
        second.join(20)
    assert results == [found]
    assert parts.downloads == 1


@pytest.mark.parametrize("there", [False, True], ids=["new", "installed"])
def test_old_installations_are_replaced_and_go_in_time(
    parts: Parts, tmp_path: Path, there: bool
) -> None:
    if there:
        install(None, tmp_path, download=parts.download)
    old = [lean_cache(tmp_path) / name for name in ("0.0.0-old", "0.0-1", "0.0-2")]
    for age, folder in enumerate(old):
        folder.mkdir(parents=True)
        os.utime(folder, (age, age))
    found = install(None, tmp_path, download=parts.download)
    assert found == locate(tmp_path)
    assert [folder.exists() for folder in old] == [True, False, True]


def refuse(folder: Path, report: Report) -> Path:
    raise AssertionError("the second installer must not download")
