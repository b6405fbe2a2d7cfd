from ragsolver_rag.corpus import Declaration
from ragsolver_rag.shape import shape
from ragsolver_rag.verbalize import english, texts


def declared(**changes):
    values = {"name": "Nat.add_comm", "kind": "theorem", "module": "M"}
    return Declaration(**values | {"type": "∀ (n m : Nat), n + m = m + n"} | changes)


def test_the_name_weighs_double_and_its_last_part_once_more():
    found = texts(declared()).search.split()
    assert found.count("comm") == 3
    assert found.count("nat") == 3
    assert found.count("eq") == 1
    assert shape("n + m = m + n") in found


def test_a_definition_has_no_shape():
    assert "shape" not in texts(declared(kind="def", type="Nat → Nat")).search


def test_the_embedded_text_is_english_and_formula():
    said = texts(declared()).embedding
    assert said.startswith("natural number addition commutative: n + m = m + n.")


def test_a_docstring_is_searched_and_embedded():
    made = texts(declared(doc="Order does not matter."))
    assert "matter" in made.search.split()
    assert made.embedding.startswith("Order does not matter.")


def test_terms_nobody_reads_are_read_out():
    assert english(["dvd", "zebra"]) == "divides zebra"
