from pathlib import Path

import pytest

from ragsolver_verifier.toolchain.digests import integrity
from ragsolver_verifier.toolchain.errors import IntegrityMismatch
from ragsolver_verifier.toolchain.fetch import ARCHIVE_NAME, fetch
from ragsolver_verifier.toolchain.progress import Report, silent


class Registry:
    """Serves one content and counts the downloads."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.downloads = 0

    def __call__(self, folder: Path, report: Report) -> Path:
        self.downloads += 1
        (folder / "served.tgz").write_bytes(self.content)
        return folder / "served.tgz"


@pytest.fixture
def good(tmp_path: Path) -> str:
    (tmp_path / "good").write_bytes(b"good")
    return integrity(tmp_path / "good")


def test_a_verified_archive_is_kept_and_not_fetched_again(tmp_path: Path, good: str) -> None:
    registry = Registry(b"good")
    for _ in range(2):
        archive = fetch(tmp_path, silent, registry, good)
        assert archive.read_bytes() == b"good"
    assert registry.downloads == 1


def test_other_content_is_refused_naming_expected_and_got(tmp_path: Path, good: str) -> None:
    with pytest.raises(IntegrityMismatch) as caught:
        fetch(tmp_path, silent, Registry(b"evil"), good)
    assert caught.value.expected == good
    assert caught.value.got in str(caught.value)
    assert not (tmp_path / ARCHIVE_NAME).exists()
    assert not (tmp_path / "incoming").exists()


def test_what_a_killed_download_left_is_not_used(tmp_path: Path, good: str) -> None:
    (tmp_path / ARCHIVE_NAME).write_bytes(b"goo")
    (tmp_path / "incoming").mkdir()
    (tmp_path / "incoming" / "served.tgz").write_bytes(b"go")
    registry = Registry(b"good")
    assert fetch(tmp_path, silent, registry, good).read_bytes() == b"good"
    assert registry.downloads == 1
