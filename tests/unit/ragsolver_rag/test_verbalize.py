from ragsolver_rag.corpus import Declaration
from ragsolver_rag.shape import shape
from ragsolver_rag.verbalize import english, texts, unmarked

REPEATS = {"name": 2, "last": 1, "doc": 2}


def declared(**changes):
    values = {"name": "Nat.add_comm", "kind": "theorem", "module": "M"}
    return Declaration(**values | {"type": "∀ (n m : Nat), n + m = m + n"} | changes)


def made(**changes):
    return texts(declared(**changes), REPEATS)


def test_the_name_weighs_double_and_its_last_part_once_more():
    found = made().search.split()
    assert found.count("comm") == 3
    assert found.count("nat") == 3
    assert found.count("eq") == 1
    assert shape("n + m = m + n") in found


def test_a_definition_has_the_shape_of_its_body_only():
    assert "shape" not in made(kind="def", type="Nat → Nat").search
    body = made(kind="def", type="Prop", value=":= ∀ a b, l a ≤ b ↔ a ≤ u b")
    assert shape("f x ≤ y ↔ x ≤ g y") in body.search.split()


def test_the_embedded_text_is_english_and_formula():
    said = made().embedding
    assert said.startswith("natural number addition commutative: n + m = m + n.")


def test_a_docstring_is_searched_and_embedded():
    found = made(doc="Order does not matter.")
    assert found.search.split().count("matter") == 2
    assert found.embedding.startswith("Order does not matter. natural number")


def test_what_the_module_says_stands_for_a_missing_docstring():
    found = made(note="sums may be turned around", context="Commutative sums")
    assert found.fields["note"][0] == "sum"
    assert "comm" in found.fields["context"]
    assert found.embedding.startswith("sums may be turned around. natural")
    assert made(context="Commutative sums").embedding.endswith("Commutative sums")


def test_fields_keep_the_letters_of_variables_and_the_text_column_does_not():
    found = made()
    assert found.fields["conclusion"] == ("n", "add", "m", "eq", "m", "add", "n")
    assert not {"n", "m"} & set(found.search.split())


def test_marks_of_emphasis_are_no_products():
    assert unmarked("a **bold** and *soft* word, a * b") == "a bold and soft word, a * b"


def test_terms_nobody_reads_are_read_out():
    assert english(["dvd", "zebra"]) == "divides zebra"
