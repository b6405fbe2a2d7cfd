import pytest

from ragsolver_runtime.formal_text import (
    as_theorem,
    joined_headers,
    open_definition,
    split_formal,
    without_comments,
    without_proof,
)


@pytest.mark.parametrize(
    "ending",
    [
        "",
        " :=",
        " := by",
        " := sorry",
        ":=by\n  sorry\n",
        "\n:= by\n",
        " := by sorry -- by induction",
        " := by\n  -- by induction\n  sorry\n/- done -/\n",
        " := -- later",
        " -- no proof yet",
    ],
)
def test_a_missing_proof_is_taken_off_with_what_is_said_of_it(ending):
    assert without_proof(f"theorem a (h : x = y) : y = x{ending}") == (
        "theorem a (h : x = y) : y = x"
    )


@pytest.mark.parametrize(
    "text",
    [
        "theorem a : p := by simp",
        "theorem a : f by",
        "theorem a : notsorry",
        "theorem a : p := x.sorry",
        "theorem a : p := standby",
    ],
)
def test_what_only_looks_like_a_missing_proof_stays(text):
    assert without_proof(text) == text


def test_a_long_comment_at_the_end_takes_no_time():
    """Blanks were once searched from each of them: minutes for an input of the largest size."""
    assert without_proof(f"theorem a : p := by /-{'x' * 190_000}-/") == "theorem a : p"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("lemma a : p", "theorem a : p"),
        ("/-- A lemma. -/\nlemma a : p", "/-- A lemma. -/\ntheorem a : p"),
        ("theorem lemma_a : p", "theorem lemma_a : p"),
    ],
)
def test_a_lemma_is_a_theorem(given, made):
    assert as_theorem(given) == made


def test_comments_go_and_strings_stay():
    text = 'open Nat\n\n-- one\n/- two\n/- three -/ -/\n\ndef s := "-- four"  -- five\n'
    assert without_comments(text) == 'open Nat\n\ndef s := "-- four"'


@pytest.mark.parametrize(
    ("header", "statement", "found"),
    [
        ("abbrev a_solution : ℕ := sorry\n-- 31", "theorem a : f a_solution", "`a_solution`"),
        ("noncomputable abbrev s : ℝ :=\n  sorry", "theorem a : f s", "`s`"),
        ("instance : Foo ℕ := by sorry", "theorem a : p", "a definition before the statement"),
        ("", "abbrev s : ℕ := sorry\n\ntheorem a : f s", "`s`"),
        ("", "theorem a : answer(sorry) = 3", "a term in the statement"),
        ("", "theorem a : p := by\n  have h : q := sorry\n  exact h", None),
        ("-- sorry\ndef s := 3", "theorem a : f s /- sorry -/", None),
        ("lemma h : p := sorry", "theorem a : p", None),
        ("def sorry_free := 3", "theorem a : f sorry_free", None),
    ],
)
def test_an_open_definition_is_found(header, statement, found):
    assert open_definition(header, statement) == found


PUBLISHED = """import Mathlib.Data.Finset.Card

open Finset  -- for `card`

namespace Foo

variable {α : Type*} -- any type

/-- Words of a definition. -/
def two (s : Finset α) : Prop :=
  s.card = 2

theorem helper : 1 = 1 := by
  sorry

/-- Words of the
problem. -/
@[simp]
lemma two_le (s : Finset α) (h : two s) : -- first
    let n := s.card; 2 ≤ n := by
  have : True := trivial
  sorry

end Foo
"""


def test_a_published_text_is_taken_apart():
    parts = split_formal(PUBLISHED)
    assert parts.header == (
        "import Mathlib.Data.Finset.Card\n\nopen Finset\n\nnamespace Foo\n\n"
        "variable {α : Type*}\n\n"
        "def two (s : Finset α) : Prop :=\n  s.card = 2"
    )
    assert parts.statement == (
        "theorem two_le (s : Finset α) (h : two s) :\n    let n := s.card; 2 ≤ n"
    )
    assert (parts.name, parts.doc) == ("two_le", "Words of the problem.")


@pytest.mark.parametrize(
    "proof",
    [":= by\n  omega", ":=\n  fun h => h", ":= by\n  let x := 3\n  sorry", ":= ⟨by simp, 2⟩"],
)
def test_a_published_proof_is_left_out(proof):
    parts = split_formal(f"theorem a (n : ℕ := 3) :\n    let ⟨x, y⟩ := f n; x = y {proof}\n")
    assert parts.statement == "theorem a (n : ℕ := 3) :\n    let ⟨x, y⟩ := f n; x = y"


@pytest.mark.parametrize(
    ("before", "header"),
    [
        ("open Nat Real in\n", "open Nat Real"),
        ("open Nat in ", "open Nat"),
        ("set_option maxHeartbeats 400000 in\nopen Nat in\n", None),
        ("variable (n : ℕ) in\n/-- Words. -/\n", "variable (n : ℕ)"),
    ],
)
def test_what_is_opened_for_one_theorem_is_opened_before_it(before, header):
    parts = split_formal(f"{before}theorem a : ∑ i in s, i = 0 := by sorry")
    assert parts.statement == "theorem a : ∑ i in s, i = 0"
    expected = header or "set_option maxHeartbeats 400000\nopen Nat"
    assert [line.strip() for line in parts.header.splitlines()] == expected.splitlines()


def test_an_example_gets_a_name():
    assert split_formal("\nexample : 1 = 1 := sorry").statement == "theorem example_2 : 1 = 1"


def test_what_is_no_theorem_is_kept_without_its_proof():
    parts = split_formal("open Nat\ninstance foo : CommGroup G := by\n  exact bar")
    assert (parts.statement, parts.name) == ("instance foo : CommGroup G", "")
    assert split_formal("1 + 1 = 2 -- easy").statement == "1 + 1 = 2"


def test_headers_are_joined_with_their_imports_first():
    first = "import Mathlib\n\nopen Nat"
    assert joined_headers(first, "") == first
    assert joined_headers("", "open Real") == "open Real"
    assert joined_headers(first, "import Mathlib\nimport Aesop\ndef a := 1") == (
        "import Aesop\nimport Mathlib\n\nopen Nat\n\ndef a := 1"
    )
