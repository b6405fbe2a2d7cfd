import pytest

from ragsolver_rag.names import (
    NameIndex,
    edit_distance,
    identifiers_in,
    likeness,
    qualified_in,
)

NAMES = (
    "Nat.add_comm",
    "Nat.add_assoc",
    "Nat.mul_comm",
    "Int.add_comm",
    "List.reverse_append",
    "Nat.lt_succ_iff'",
    "absurd",
)


@pytest.fixture
def index():
    return NameIndex(lambda: NAMES)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("unknown identifier 'Nat.add_comm'", ["Nat.add_comm"]),
        ("Unknown constant `Nat.foo`", ["Nat.foo"]),
        ("unknown constant 'Nat.lt_succ_iff''", ["Nat.lt_succ_iff'"]),
        ("Unknown identifier `a` and `b.c!`", ["a", "b.c!"]),
        ("Nat.foo_bar", ["Nat.foo_bar"]),
        ("unsolved goals", []),
        ("it's don't", []),
        ("type mismatch '1 + 1'", []),
    ],
)
def test_identifiers_of_a_message(message, names):
    assert identifiers_in(message) == names


def test_only_what_looks_like_a_lean_name_is_one():
    assert qualified_in("use Nat.add_comm and not_or on a list.") == ["Nat.add_comm", "not_or"]
    assert qualified_in("plain words e g") == []


def test_edit_distance():
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("", "abc") == 3
    assert edit_distance("abc", "abc") == 0


def test_only_known_names_are_known(index):
    assert index.known(["Nat.add_comm", "No.such", "_root_.absurd"]) == ["Nat.add_comm", "absurd"]


@pytest.mark.parametrize(
    ("asked", "best"),
    [
        ("Nat.add_comm", "Nat.add_comm"),
        ("Nat.add_com", "Nat.add_comm"),
        ("Nat.addComm", "Nat.add_comm"),
        ("Rat.add_comm", "Int.add_comm"),
        ("List.append_reverse", "List.reverse_append"),
        ("_root_.absurd", "absurd"),
    ],
)
def test_the_closest_name(index, asked, best):
    found = index.closest(asked, 3)
    assert len(found) == 3
    assert best in found[:2]
    if asked in NAMES:
        assert found[0] == asked


def test_an_empty_library_has_no_closest_name():
    assert NameIndex(lambda: ()).closest("Nat.add", 3) == []


def test_only_the_name_itself_is_entirely_alike():
    assert likeness("a.b_c", "a.b_c") == pytest.approx(1.0)
    assert likeness("a.b_c", "a.c_b") < 1.0
    assert likeness("a.b'", "a.b") < 1.0
