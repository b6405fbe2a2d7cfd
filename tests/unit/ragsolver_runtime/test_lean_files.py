from ragsolver_runtime.lean_files import lean_problems

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
