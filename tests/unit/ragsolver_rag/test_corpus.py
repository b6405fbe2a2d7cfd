from importlib.metadata import EntryPoint

import pytest

from ragsolver_rag import corpus as under_test
from ragsolver_rag.corpus import (
    CorpusError,
    Declaration,
    Exclusions,
    corpus_dir,
    is_generated,
    make_corpus,
    read_declarations,
    read_manifest,
    select,
)
from suites import library


def declared(name, **changes):
    return Declaration(**({"name": name, "kind": "theorem", "module": "M", "type": "T"} | changes))


@pytest.mark.parametrize(
    "name",
    [
        "Nat.gcd.eq_1",
        "List.map.match_1",
        "Option.casesOn",
        "instAddNat",
        "Prod.mk.injEq",
        "f._proof_2",
    ],
)
def test_what_lean_writes_itself_is_recognised(name):
    assert is_generated(name)


@pytest.mark.parametrize(
    "name", ["Nat.add_comm", "eq_self", "Nat.eq_of_beq", "instance_reducible"]
)
def test_what_people_write_is_kept(name):
    assert not is_generated(name)


def test_selection_keeps_each_name_once_and_leaves_out_what_is_excluded():
    given = [
        declared("a", type="first"),
        declared("a", type="second"),
        declared("b.rec", kind="rec"),
        declared("c", module="Std.Data.Internal.List"),
        declared("d.eq_1"),
        declared("e"),
    ]
    kept = select(given, Exclusions())
    assert [(d.name, d.type) for d in kept] == [("a", "first"), ("e", "T")]
    everything = select(given, Exclusions(generated=False, kinds=(), modules=()))
    assert [d.name for d in everything] == ["a", "b.rec", "c", "d.eq_1", "e"]


def test_a_corpus_folder_is_read_back(tmp_path):
    folder = library.write_corpus(tmp_path)
    assert list(read_declarations(folder)) == library.declarations()
    assert read_manifest(folder).tag == "lean4-core 4.0.0 01234567"


def test_a_broken_line_is_named(tmp_path):
    (tmp_path / "declarations.jsonl").write_text(
        '{"name":"a","kind":"d","module":"M","type":"T"}\n{'
    )
    with pytest.raises(CorpusError, match="line 2"):
        list(read_declarations(tmp_path))


def test_a_folder_without_manifest_is_no_corpus(tmp_path):
    with pytest.raises(CorpusError, match=r"manifest\.json is missing"):
        read_manifest(tmp_path)
    with pytest.raises(CorpusError, match=r"declarations\.jsonl is missing"):
        list(read_declarations(tmp_path))
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(CorpusError, match="not a corpus manifest"):
        read_manifest(tmp_path)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    return tmp_path


def offered(monkeypatch, value):
    entries = [] if value is None else [EntryPoint("embedded", value, under_test.ENTRY_POINTS)]
    monkeypatch.setattr(under_test, "entry_points", lambda group, name: entries)


def export_by_test(on_count):
    on_count(7)
    return library.write_corpus(corpus_dir("embedded"))


def failing_export(on_count):
    raise RuntimeError("no toolchain: install it")


def test_whoever_can_export_is_asked(cache, monkeypatch):
    offered(monkeypatch, f"{__name__}:export_by_test")
    monkeypatch.setattr(EntryPoint, "load", lambda self: export_by_test)
    counts = []
    assert make_corpus("embedded", counts.append) == cache / "corpora" / "embedded"
    assert counts == [7]


def test_a_failed_export_says_why(cache, monkeypatch):
    offered(monkeypatch, "any:thing")
    monkeypatch.setattr(EntryPoint, "load", lambda self: failing_export)
    with pytest.raises(CorpusError, match="no toolchain: install it"):
        make_corpus("embedded")


@pytest.mark.parametrize("value", [None, "ragsolver_not_installed.corpus:embedded"])
def test_without_exporter_the_folder_must_be_there(cache, monkeypatch, value):
    offered(monkeypatch, value)
    with pytest.raises(CorpusError, match="nothing installed can export"):
        make_corpus("embedded")
    library.write_corpus(corpus_dir("embedded"))
    assert make_corpus("embedded") == corpus_dir("embedded")
