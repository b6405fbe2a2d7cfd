import os

import pytest

from ragsolver_rag.index_lease import FolderGoneError, Lease, remove_unheld


@pytest.fixture
def tables(tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "data").write_bytes(b"x")
    return folder


def test_a_folder_that_somebody_reads_is_not_removed(tables):
    first, second = Lease(tables), Lease(tables)
    assert not remove_unheld(tables)
    first.close()
    assert not remove_unheld(tables)
    second.close()
    assert remove_unheld(tables)
    assert not tables.exists()


def test_a_lease_ends_with_whoever_has_it(tables):
    lease = Lease(tables)
    del lease
    assert remove_unheld(tables)


def test_what_is_gone_cannot_be_held(tables):
    assert remove_unheld(tables)
    with pytest.raises(FolderGoneError, match="is gone"):
        Lease(tables)
    assert remove_unheld(tables)


def test_closing_twice_closes_no_other_file(tables):
    lease = Lease(tables)
    lease.close()
    other = os.open(tables / "data", os.O_RDONLY)
    lease.close()
    assert os.read(other, 1) == b"x"
    os.close(other)
