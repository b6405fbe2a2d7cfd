import pytest

from ragsolver_runtime.formats.layout import (
    MATHLIB,
    Dataset,
    converted,
    in_words,
    namespaced,
    present,
)

SET = Dataset("set", "A Set", "MIT")


@pytest.mark.parametrize(
    ("own_id", "split", "name"),
    [
        ("a_1", "", "set.a_1"),
        ("a_1", "test", "set.a_1"),
        (7, "", "set.7"),
        ("7", "test", "set.test.7"),
        ("7", "null", "set.7"),
        ("set_900", "", "set_900"),
        ("Book|exercise 1/2", "", "set.Book.exercise.1.2"),
        ("__a", "", "set.a"),
    ],
)
def test_names_have_the_dataset_in_front(own_id, split, name):
    assert namespaced(SET, own_id, split) == name


def test_without_a_dataset_the_name_is_its_own():
    assert namespaced(None, "a_1", "test") == "a_1"
    assert converted(None, "a_1").fields == {"name": "a_1"}


@pytest.mark.parametrize("absent", [None, "", "  ", "None.", "null", " None\n"])
def test_what_datasets_write_for_nothing_is_nothing(absent):
    assert not present(absent)
    made = converted(SET, 1, formal=absent, informal=absent, header=absent, split=absent).fields
    assert made == {"name": "set.1", "source": {"dataset": "A Set", "licence": "MIT"}}


def test_values_of_the_wrong_type_are_kept_for_the_intake_to_name():
    made = converted(SET, 1, formal=["theorem a : p"], informal=4, header=5, split=6).fields
    assert made["formal_statement"] == ["theorem a : p"]
    assert (made["informal_statement"], made["header"], made["split"]) == (4, 5, 6)


def test_a_record_without_an_id_is_named_after_its_theorem():
    assert converted(SET, None, formal="theorem foo : p := by").fields["name"] == "set.foo"
    assert "name" not in converted(SET, None, informal="Words.").fields


def test_the_documentation_stands_in_for_words():
    formal = "/-- Doc. -/\ntheorem foo : p := by"
    assert converted(SET, 1, formal=formal).fields["informal_statement"] == "Doc."
    given = converted(SET, 1, formal=formal, informal="Given.").fields
    assert given["informal_statement"] == "Given."


def test_the_default_header_is_for_records_without_an_import():
    def header(given, formal="theorem foo : p"):
        fields = converted(SET, 1, formal=formal, header=given, default_header=MATHLIB).fields
        return fields["header"]

    assert header("") == "import Mathlib"
    assert header("open Nat") == "import Mathlib\n\nopen Nat"
    assert header("import Mathlib.Order.Lattice") == "import Mathlib.Order.Lattice"
    assert header("", "import Std\ntheorem foo : p") == "import Std"


def test_comments_of_the_header_do_not_go_on():
    made = converted(SET, 1, formal="theorem foo : p", header="open Nat\n-- the answer is 3")
    assert made.fields["header"] == "open Nat"


def test_words_lose_comment_signs_and_proofs():
    assert in_words("/-- Show it. -/\n") == "Show it."
    assert in_words("Show it.\n\\begin{proof}\nEasy.\n\\end{proof}") == "Show it."
    assert in_words(["no", "text"]) == ["no", "text"]
