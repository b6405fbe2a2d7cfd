from ragsolver_rag.corpus import Declaration
from ragsolver_rag.rows import declaration_rows, popularity
from suites import library


def declared(name, **changes):
    return Declaration(name=name, kind="def", module="M", type="Nat", **changes)


def test_rows_are_numbered_within_their_document():
    rows = declaration_rows(library.declarations(), library.manifest())
    assert rows[3].chunk_id == f"{'bc' * 6}:mathlib_decl:3"
    assert rows[3].decl_name == "Nat.mul_comm"
    assert [row.order for row in rows] == list(range(14))


def test_what_lean_made_is_embedded_as_its_origin():
    first = declared("A.b", doc="Said.")
    made = declared("A.b_assoc", origin="reassoc", origin_of="A.b")
    orphan = declared("C.d", origin="simps", origin_of="No.such")
    rows = declaration_rows([first, made, orphan], library.manifest())
    assert rows[1].embedding_text == rows[0].embedding_text
    assert rows[2].embedding_text != rows[0].embedding_text


def test_popularity_is_of_the_namespace_where_nothing_is_counted():
    of = popularity(library.declarations())
    assert of(declared("not_or")) == 1.0
    assert 1.0 >= of(declared("Nat.foo")) > of(declared("Int.foo")) > 0.0
    assert of(declared("Classical.foo")) == 0.6


def test_counted_mentions_decide():
    often, seldom = declared("A", mentions=100), declared("B.c", mentions=3)
    of = popularity([often, seldom, declared("D", mentions=0)])
    assert of(often) == 1.0
    assert 0.0 < of(seldom) < 0.5
    assert of(declared("D", mentions=0)) == 0.0


def test_progress_is_told():
    counts = []
    declaration_rows(library.declarations(), library.manifest(), on_texts=counts.append)
    assert counts[-1] == 14
