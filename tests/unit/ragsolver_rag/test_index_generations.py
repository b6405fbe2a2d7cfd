import errno
import multiprocessing
import os
import signal
import threading

import pytest

from ragsolver_rag.index_folder import MANIFEST, TABLES, IndexManifest, read_index_manifest
from ragsolver_rag.index_generations import (
    IndexWriteError,
    new_tables,
    only_writer,
    publish,
    removed_unless_finished,
    sweep,
)
from ragsolver_rag.index_lease import Lease

NOW, BEFORE = "b" * 64, "a" * 64


def index(home, version, corpus=NOW, encoder="", built_at="1"):
    """An index with one table, published."""
    tables = new_tables(home / version)
    (tables / "mathlib.lance").mkdir(parents=True)
    manifest = IndexManifest(
        version=version,
        corpus="mini",
        corpus_sha256=corpus,
        mathlib_tag="t",
        toolchain_digest="",
        encoder=encoder,
        text_version=1,
        count=1,
        dimensions=0,
        built_at=built_at,
        seconds=1.0,
        tables=tables.name,
    )
    publish(home / version, manifest)
    return tables


def test_the_manifest_is_replaced_and_readers_can_see_it(tmp_path):
    first = index(tmp_path, "v")
    changed = (tmp_path / ".changed").read_text("utf-8")
    second = index(tmp_path, "v")
    assert first != second
    assert read_index_manifest(tmp_path / "v").tables == second.name
    assert (tmp_path / ".changed").read_text("utf-8") != changed
    assert [path.name for path in (tmp_path / "v").glob("*.new")] == []


def test_tables_that_no_manifest_names_go_when_nobody_reads_them(tmp_path):
    old = index(tmp_path, "v")
    lease = Lease(old)
    new = index(tmp_path, "v")
    half = new_tables(tmp_path / "half")
    half.mkdir()
    (tmp_path / ".new-x").mkdir()
    assert set(sweep(tmp_path, NOW)) == {half, tmp_path / ".new-x"}
    lease.close()
    assert sweep(tmp_path, NOW) == [old]
    assert new.is_dir()


def test_indexes_of_texts_of_before_go_but_for_the_last_vectors(tmp_path):
    index(tmp_path, "words1", BEFORE)
    index(tmp_path, "dense1", BEFORE, "e", "1")
    index(tmp_path, "dense2", BEFORE, "e", "2")
    assert sweep(tmp_path, NOW) == []
    index(tmp_path, "words2", NOW)
    assert sweep(tmp_path, NOW) == [tmp_path / "dense1", tmp_path / "words1"]
    index(tmp_path, "dense3", NOW, "e", "3")
    assert sweep(tmp_path, NOW) == [tmp_path / "dense2"]
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == ["dense3", "words2"]


def test_an_index_of_before_that_is_read_stays(tmp_path):
    lease = Lease(index(tmp_path, "v1", BEFORE))
    index(tmp_path, "v2", NOW)
    assert sweep(tmp_path, NOW) == []
    lease.close()
    assert sweep(tmp_path, NOW) == [tmp_path / "v1"]


def begun(tables, error):
    with removed_unless_finished(tables):
        (tables / "mathlib.lance").mkdir(parents=True)
        raise error


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no room"), RuntimeError("lance error")])
def test_what_could_not_be_written_whole_is_removed_and_said(tmp_path, error):
    tables = new_tables(tmp_path / "v")
    with pytest.raises(IndexWriteError, match="make room"):
        begun(tables, error)
    assert not list((tmp_path / "v").glob(f"{TABLES}*"))


def test_an_interrupt_stays_one_and_leaves_no_tables(tmp_path):
    tables = new_tables(tmp_path / "v")
    with pytest.raises(KeyboardInterrupt):
        begun(tables, KeyboardInterrupt())
    assert not tables.exists()


def test_a_second_writer_says_for_whom_it_waits(tmp_path):
    said, done = [], threading.Event()

    def second():
        with only_writer(tmp_path, said.append):
            done.set()

    thread = threading.Thread(target=second)
    with only_writer(tmp_path, said.append):
        thread.start()
        while not said:
            assert not done.wait(0.01)
    thread.join(10)
    assert done.is_set()
    assert len(said) == 1
    assert said[0].startswith(f"waiting for process {os.getpid()} (since ")
    assert not (tmp_path / ".writer").exists()


def hold(home, ready):
    with only_writer(home, print):
        ready.set()
        threading.Event().wait(60)


def test_a_killed_writer_keeps_nobody_out(tmp_path):
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=hold, args=(tmp_path, ready))
    process.start()
    assert ready.wait(30)
    os.kill(process.pid, signal.SIGKILL)
    process.join(10)
    with only_writer(tmp_path, pytest.fail):
        assert (tmp_path / ".writer").exists()
    assert not (tmp_path / MANIFEST).exists()
