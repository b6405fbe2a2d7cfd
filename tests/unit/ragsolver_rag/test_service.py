import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest
from ragsolver_rag import build, service
from ragsolver_rag.build import build_index
from ragsolver_rag.corpus import corpus_dir, write_corpus
from ragsolver_rag.index import IndexDamagedError
from ragsolver_rag.index_folder import IndexMissingError, find_index, indexes_dir, tables_dir
from ragsolver_rag.models import Models
from ragsolver_rag.service import ServedSearch, open_parts, open_search
from ragsolver_rag.settings import RetrieverSettings
from suites import library

WORDS = RetrieverSettings(corpus="mini", dense=False)
REQUEST = RetrievalRequest(queries=("nat add comm",), context=RetrievalContext(problem_id="p"))


def write_text_corpus(skip: str = "") -> None:
    """The library as it would be read from text, without one of its declarations."""
    kept = [d.model_dump() for d in library.declarations() if d.name != skip]
    about = library.manifest(toolchain_digest="").model_dump(exclude={"count", "sha256"})
    about |= {"corpus": "mini", "parser": "lean source text"}
    write_corpus(corpus_dir("mini"), kept, about)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    write_text_corpus()
    return tmp_path


@pytest.fixture
def served():
    build_index(WORDS)
    return ServedSearch(WORDS, Models(WORDS))


def names(result):
    return [hit.metadata["decl_name"] for hit in result.hits]


def version(result):
    return result.trace.versions.index_version


def tables_on_disk():
    return sorted(path.name for path in indexes_dir("mini").glob("*/lance*"))


def test_without_index_nothing_opens():
    with pytest.raises(IndexMissingError, match="ragsolver index build"):
        open_search(WORDS)


def test_nothing_is_opened_before_it_is_needed_and_then_once():
    opened = []

    def counted(*args, **options):
        opened.append(args)
        return open_parts(*args, **options)

    build_index(WORDS)
    lazy = ServedSearch(WORDS, Models(WORDS), counted)
    assert opened == []
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: names(lazy.search(REQUEST, {})), range(8)))
    lazy.warm()
    assert found == [found[0]] * 8
    assert len(opened) == 1


def test_a_failure_to_open_is_raised_and_tried_again():
    lazy = ServedSearch(WORDS, Models(WORDS))
    with pytest.raises(IndexMissingError, match=r"retriever\.corpus=mini"):
        lazy.search(REQUEST, {})
    build_index(WORDS)
    assert names(lazy.search(REQUEST, {}))[0] == "Nat.add_comm"


def test_the_next_request_is_answered_from_the_index_that_was_built_meanwhile(served):
    before = served.search(REQUEST, {})
    write_text_corpus(skip="Nat.add_comm")
    assert version(served.search(REQUEST, {})) == version(before)
    manifest, _ = build_index(WORDS)
    after = served.search(REQUEST, {})
    assert version(after) == manifest.version != version(before)
    assert "Nat.add_comm" in names(before)
    assert "Nat.add_comm" not in names(after)


def test_a_request_keeps_its_version_while_another_is_built(monkeypatch, served):
    """It reads the names before the index is built anew, and the rows after it."""
    before = served.search(REQUEST, {})
    rows = service.Search._ranked
    reached, go = threading.Event(), threading.Event()

    def held(self, *args):
        reached.set()
        assert go.wait(30)
        return rows(self, *args)

    monkeypatch.setattr(service.Search, "_ranked", held)
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(served.search, REQUEST, {})
        assert reached.wait(30)
        monkeypatch.setattr(service.Search, "_ranked", rows)
        build_index(WORDS, force=True)
        assert len(tables_on_disk()) == 2
        assert names(served.search(REQUEST, {})) == names(before)
        go.set()
        assert names(running.result(30)) == names(before)
    build_index(WORDS)
    assert len(tables_on_disk()) == 1


def test_while_one_request_opens_the_new_index_others_are_answered_from_the_old(served):
    before = served.search(REQUEST, {})
    write_text_corpus(skip="Nat.add_comm")
    build_index(WORDS)
    with served._opening:
        assert version(served.search(REQUEST, {})) == version(before)
    assert version(served.search(REQUEST, {})) != version(before)


def test_damage_that_a_search_meets_is_no_answer_and_the_repaired_index_serves(
    monkeypatch, served
):
    before = names(served.search(REQUEST, {}))

    def torn(self, orders):
        raise IndexDamagedError("torn")

    rows = served._serving.search._index.rows
    served._serving.search._index.rows = torn.__get__(served)
    with pytest.raises(IndexDamagedError, match=r"torn: run `ragsolver index build --set .*mini"):
        served.search(REQUEST, {})
    del rows
    assert names(served.search(REQUEST, {})) == before


def turned(content):
    place = len(content) // 3
    return content[:place] + bytes([content[place] ^ 64]) + content[place + 1 :]


HARM = {
    "cut": lambda content: content[: len(content) // 2],
    "turned": turned,
    "emptied": lambda content: b"",
    "longer": lambda content: content + b"x",
    "gone": None,
}


@pytest.mark.parametrize("how", HARM)
def test_damage_in_any_file_is_refused_with_the_command_that_repairs_it(how):
    build_index(WORDS)
    folder, manifest = find_index(WORDS)
    files = [tables_dir(folder, manifest) / file.path for file in manifest.files if file.size]
    assert len(files) > 8
    for path in files:
        content = path.read_bytes()
        if HARM[how] is None:
            path.unlink()
        else:
            path.write_bytes(HARM[how](content))
        with pytest.raises(IndexMissingError, match=f"{path.name} .*run `ragsolver index build"):
            open_parts(WORDS)
        if path is not files[-1]:
            path.write_bytes(content)
    repaired, built = build_index(WORDS)
    assert built
    assert repaired.version == manifest.version
    assert names(open_search(WORDS).search(REQUEST))[0] == "Nat.add_comm"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"count": 12}, "14 declarations instead of 12"),
        ({"dimensions": 64, "encoder": "other"}, "vectors are those of 'other'"),
        ({"text_version": 1}, "version 1 instead of"),
    ],
)
def test_a_manifest_of_something_else_is_refused(change, said):
    build_index(WORDS)
    folder, manifest = find_index(WORDS)
    build.publish(folder, manifest.model_copy(update=change))
    with pytest.raises(IndexMissingError, match=said):
        open_parts(WORDS)


def test_a_manifest_that_is_no_manifest_is_refused_even_where_an_older_index_is(cache):
    build_index(WORDS)
    write_text_corpus(skip="not_or")
    build_index(WORDS)
    folder, _ = find_index(WORDS)
    (folder / "manifest.json").write_text("{", "utf-8")
    with pytest.raises(IndexMissingError, match=r"damaged or half written: run `ragsolver index"):
        open_parts(WORDS)


def test_an_index_whose_words_are_not_indexed_is_refused(monkeypatch):
    import lancedb

    build_index(WORDS)
    folder, manifest = find_index(WORDS)
    table = lancedb.connect(tables_dir(folder, manifest)).open_table("mathlib")
    words = next(i.name for i in table.list_indices() if "search_text" in i.columns)
    table.drop_index(words)
    build.publish(folder, manifest.model_copy(update={"files": ()}))
    with pytest.raises(IndexMissingError, match="column search_text has no index"):
        open_parts(WORDS)


def test_opening_and_asking_again_and_again_leaves_no_file_open(served):
    """The bench does it fifty and a thousand times; LanceDB opens some files as it goes."""
    counts = []
    for number in range(8):
        again = ServedSearch(WORDS, Models(WORDS))
        for _ in range(10):
            assert again.search(REQUEST, {}).hits
        if number > 1:
            counts.append(len(list(Path("/proc/self/fd").iterdir())))
    assert max(counts) - min(counts) <= 4, counts


def test_searches_at_once_give_the_answers_of_one_after_the_other(served):
    texts = ["nat add comm", "gcd", "list reverse", "or and", "le antisymm", "length append"]
    requests = [REQUEST.model_copy(update={"queries": (text,)}) for text in texts] * 4
    alone = [names(served.search(request, {})) for request in requests]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda r: names(served.search(r, {})), requests))
    assert together == alone


def test_settings_of_the_cache_reach_the_database(monkeypatch):
    import lancedb

    build_index(WORDS)
    asked = []
    session = lancedb.Session

    def recorded(**sizes):
        asked.append(sizes)
        return session(**sizes)

    monkeypatch.setattr(lancedb, "Session", recorded)
    open_parts(replace(WORDS, index_cache_mb=3))
    assert [sizes["index_cache_size_bytes"] for sizes in asked] == [3 << 20]
