import pytest

from ragsolver_rag.source.reader import read_file
from ragsolver_rag.source.translate import Dictionary
from suites import lean_tree

DICTIONARIES = {"to_additive": Dictionary("to_additive", {"mul": ("Add",)})}


@pytest.fixture(scope="module")
def found():
    return read_file(lean_tree.LATTICE, "Mini.Lattice", DICTIONARIES)


@pytest.fixture(scope="module")
def by_name(found):
    return {declaration.name: declaration for declaration in found.declarations}


def test_every_declaration_has_its_full_name(by_name):
    assert list(by_name) == [
        "Mini.Join",
        "Mini.Join.ext",
        "Mini.Join.ext_iff",
        "Mini.Join.join",
        "Mini.Join.join_comm",
        "Mini.Join.mul_comm",
        "Mini.Join.add_comm",
        "free_one",
        "Mini.Join.eq_of",
        "Mini.instNonemptyOption",
        "Mini.Shade",
        "Mini.Shade.dark",
        "Mini.Shade.light",
        "Mini.old_comm",
        "Mini.older_comm",
        "Mini.one_way",
        "Mini.swap",
        "Mini.swap_apply",
    ]


def test_private_declarations_are_counted_and_left_out(found, by_name):
    assert found.left_out == 1
    assert not any("hidden" in name for name in by_name)


def test_types_have_the_variables_in_scope(by_name):
    assert by_name["Mini.Join.mul_comm"].type == (
        "∀ [Join α] {a b : α}, Join.join a b = Join.join b a"
    )
    assert by_name["Mini.Join.eq_of"].type == "∀ [Join α] {a b : α} (k : a ≠ b), False"
    assert by_name["free_one"].type == "∀ (n : ℕ), n = n"
    assert by_name["Mini.Shade.light"].type == "∀ (n : Nat), Shade"


def test_documentation_and_places(found, by_name):
    assert by_name["Mini.Join"].doc == "A type with **joins**."
    assert by_name["Mini.Join.join"].doc == "The join."
    assert by_name["Mini.Join.mul_comm"].doc == "Joins commute. -- not a comment"
    assert by_name["Mini.Join.add_comm"].doc == "Sums of joins."
    assert by_name["Mini.Join.mul_comm"].heading == "Laws of joins"
    assert by_name["Mini.Join"].heading == ""
    line = lean_tree.LATTICE.splitlines()[by_name["Mini.Join.mul_comm"].line - 1]
    assert line.startswith("theorem Join.mul_comm")
    assert found.title == "Small lattices"
    assert ("Mini.Join.comm", "joins do not mind the order") in found.bullets


def test_origins_and_successors(by_name):
    assert by_name["Mini.Join.add_comm"].origin_of == "Mini.Join.mul_comm"
    assert by_name["Mini.instNonemptyOption"].origin == "auto_named"
    old = by_name["Mini.old_comm"]
    assert (old.deprecated, old.successor[0]) == ("2025-01-02", "Mini.Join.mul_comm")
    older = by_name["Mini.older_comm"]
    assert (older.origin, older.deprecated) == ("alias", "2025-02-03")
    assert "Mini.Join.mul_comm" in older.successor
    assert by_name["Mini.one_way"].successor[-1] == "free_one"


def test_what_is_said_in_code_is_counted(found):
    assert found.mentions["Join.mul_comm"] == 4
    assert "everybody" not in found.mentions


def test_comments_and_strings_declare_nothing():
    found = read_file(lean_tree.BASE + "/- theorem no : True -/\n", "Mini.Base", {})
    assert [d.name for d in found.declarations] == ["base_fact"]


def test_prefixes_and_attribute_commands():
    source = (
        "variable {n : Nat} in\nopen Foo in\n@[simp]\ntheorem a : n = n := rfl\n"
        "attribute [reassoc] a\n@[simp] theorem b : True := trivial\n"
    )
    found = {d.name: d for d in read_file(source, "M", {}).declarations}
    assert list(found) == ["a", "b", "a_assoc"]
    assert found["a"].type == "∀ {n : Nat}, n = n"


def test_indented_commands_count_where_most_are_indented():
    source = "namespace A\n  theorem b : True := trivial\n  theorem c : True := trivial\nend A\n"
    assert [d.name for d in read_file(source, "M", {}).declarations] == ["A.b", "A.c"]
    body = "theorem a : True := by\n  have x := 1\n  trivial\ntheorem d : True := trivial\n"
    assert [d.name for d in read_file(body, "M", {}).declarations] == ["a", "d"]
