import pytest

from ragsolver_rag import index_files
from ragsolver_rag.index_files import HELD, damage, stored_files


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a").write_bytes(b"small")
    (tmp_path / "b").write_bytes(b"large" * 100)
    (tmp_path / HELD).write_bytes(b"")
    return tmp_path


@pytest.fixture
def files(monkeypatch, folder):
    monkeypatch.setattr(index_files, "SMALL", 100)
    return stored_files(folder)


def test_files_are_listed_with_size_and_digest(folder, files):
    assert [(file.path, file.size) for file in files] == [("b", 500), ("data/a", 5)]
    assert damage(folder, files, whole=True) == ""


def test_what_is_missing_longer_or_unknown_is_damage(folder, files):
    (folder / "b").write_bytes(b"short")
    assert damage(folder, files) == "b has 5 bytes instead of 500"
    (folder / "b").unlink()
    assert damage(folder, files) == "b is missing"


def test_a_file_too_many_is_damage(folder, files):
    (folder / "data" / "2.manifest").write_bytes(b"")
    assert damage(folder, files) == "data/2.manifest does not belong there"


def test_small_files_are_read_at_every_look_and_large_ones_when_all_is_compared(folder, files):
    (folder / "b").write_bytes(b"LARGE" * 100)
    assert damage(folder, files) == ""
    assert damage(folder, files, whole=True) == "b has other content than was written"
    (folder / "data" / "a").write_bytes(b"Small")
    assert damage(folder, files[1:]).startswith("data/a has other content")


def test_nothing_is_compared_where_nothing_was_listed(folder):
    assert damage(folder, ()) == ""
