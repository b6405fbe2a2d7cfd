import pytest

from ragsolver_runtime.lean_files import first_assignment, lean_problems, mask

FILE = """import Mathlib
open Nat
/- a comment with theorem no (n : Nat) : n = n := by sorry /- nested -/ -/
-- theorem nor_this : True := sorry
def twice (n : Nat) := n + n

/-- Doubling
is adding. -/
theorem twice_eq (n : Nat) : twice n = 2 * n := by
  sorry

theorem done : 1 + 1 = 2 := rfl -- not sorry

/-- Attributes stay away. --/
@[simp]
lemma with_default (n : Nat := 3) : n + 0 = n := sorry

def message := "theorem s : True := by sorry"

example (a b : Nat) :
    a + b = b + a := by sorry

theorem inner : True ∧ True := by
  constructor
  · trivial
  · sorry
"""


def test_every_open_theorem_is_a_problem_in_order() -> None:
    found = list(lean_problems(FILE))
    assert [p.name for p in found] == ["twice_eq", "with_default", "example_20", "inner"]


def test_statement_ends_before_the_proof() -> None:
    first, second, third, fourth = lean_problems(FILE)
    assert first.statement == "theorem twice_eq (n : Nat) : twice n = 2 * n"
    assert second.statement == "theorem with_default (n : Nat := 3) : n + 0 = n"
    assert third.statement == "theorem example_20 (a b : Nat) :\n    a + b = b + a"
    assert fourth.statement == "theorem inner : True ∧ True"


def test_a_proof_that_is_more_than_one_hole_is_a_sketch() -> None:
    sketches = [problem.sketch for problem in lean_problems(FILE)]
    assert sketches[:3] == ["", "", ""]
    assert sketches[3] == "by\n  constructor\n  · trivial\n  · sorry"


def test_header_is_the_text_before_without_open_problems() -> None:
    first, second, third, _ = lean_problems(FILE)
    assert first.header.endswith("def twice (n : Nat) := n + n")
    assert first.header.startswith("import Mathlib\nopen Nat")
    assert "twice_eq" not in second.header
    assert "theorem done : 1 + 1 = 2 := rfl" in second.header
    assert "with_default" not in third.header
    assert "def message" in third.header


def test_documentation_becomes_the_words_of_the_problem() -> None:
    first, second, third, _ = lean_problems(FILE)
    assert first.doc == "Doubling is adding."
    assert second.doc == "Attributes stay away. -"
    assert third.doc == ""
    assert "Doubling" not in first.header


def test_line_is_that_of_the_keyword() -> None:
    for problem in lean_problems(FILE):
        line = FILE.splitlines()[problem.line - 1]
        assert line.startswith(("theorem", "lemma", "example"))


def test_a_file_without_sorry_has_no_problems() -> None:
    assert list(lean_problems("theorem t : True := trivial\n-- sorry\n")) == []


@pytest.mark.parametrize("text", ["", "-- nothing\n", "\n\n"])
def test_an_empty_file_has_no_problems(text):
    assert list(lean_problems(text)) == []


def test_a_statement_may_bind_names_of_its_own():
    text = "theorem t (n : Nat := 3) : let a := n; let b := a; b = n := by\n  show _; sorry\n"
    (found,) = lean_problems(text)
    assert found.statement == "theorem t (n : Nat := 3) : let a := n; let b := a; b = n"
    assert found.sketch == "by\n  show _; sorry"


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ("theorem t : p := q", "theorem t : p "),
        ("theorem t : let a := 1; p", None),
        ("theorem t : outlet = 1 := q", "theorem t : outlet = 1 "),
        ("theorem t (h : a := b) : p", None),
    ],
)
def test_the_proof_begins_where_nothing_is_bound(block, found):
    assert first_assignment(block) == (None if found is None else len(found))


def test_an_include_is_a_command_of_its_own():
    text = "theorem a : p := by sorry\ninclude h\nomit h in\ntheorem b : q := by sorry\n"
    first, second = lean_problems(text)
    assert (first.statement, second.statement) == ("theorem a : p", "theorem b : q")
    assert second.header == "include h\nomit h in"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("a /- b -- c -/ d", "a              d"),
        ("a /- ' \" -/ b", "a           b"),
        ('a /- /- b -/ " -/ c', "a                 c"),
        ("a --/\nb", "a    \nb"),
        ('a "b -- c" d', "a          d"),
        ('a "b', "a   "),
        ("x' y' -- z", "x' y'     "),
    ],
)
def test_comments_and_strings_are_blanked_in_place(text, masked):
    assert mask(text) == masked


@pytest.mark.timeout(8)
@pytest.mark.parametrize(
    "text",
    [
        '"' + '\\"' * 90_000,
        '"' + '\\"' * 90_000 + "\\",
        "/- " + '"' + '\\"' * 90_000,
        "private\n@[x]\n" * 15_000,
        "noncomputable\n" * 15_000,
        "@[\n" * 60_000,
    ],
    ids=["quotes", "cut", "in a comment", "modifiers", "one modifier", "attributes"],
)
def test_no_text_takes_time_that_grows_with_its_square(text):
    """Quotes and modifiers took up to a minute, in whoever looked at a posted input."""
    masked = mask(text)
    assert len(masked) == len(text)
    assert list(lean_problems(f"{text}\ntheorem a : p")) == []
