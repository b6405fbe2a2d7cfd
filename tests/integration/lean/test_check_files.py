"""Files as people write them, judged on real Lean."""

import pytest

from ragsolver_verifier.check_file import Asked, FileCheck
from ragsolver_verifier.lean_sources import Source

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

REAL_LIFE = """import Std
namespace A
variable {α : Type} (xs : List α)
/-- Documented. -/
@[simp] theorem simple (n : Nat) : n + 0 = n := rfl
private theorem hidden : 1 = 1 := rfl
open Nat in
theorem opened (n : Nat) : n + 1 = succ n := rfl
theorem with_variable : xs.length = xs.length := rfl
mutual
theorem first (n : Nat) : n = n := second n
theorem second (n : Nat) : n = n := rfl
end
section
def three := 3
example : three = 3 := rfl
instance : Inhabited Nat := ⟨0⟩
theorem fields : True ∧ True where
  left := trivial
  right := trivial
set_option maxHeartbeats 100000 in
/-- Documented. -/
protected theorem decided : three = 3 := by decide
end
end A
theorem by_cases' (f : Nat → Nat) : ∀ x, f x = f x
  | 0 => rfl
  | _ => rfl
"""

FAULTY = """theorem parsed : 1 = 2 := by
  foo bar
  baz
theorem lie : 1 = 2 := by decide
theorem rests_on_it : 1 = 2 := lie
example : 1 = 2 := rfl
theorem fine : 1 = 1 := by rfl
lemma not_core : 1 = 1 := rfl
theorem swallows : 1 = 1 := rfl
lemma not_core_either : 1 = 1 := rfl
theorem also_fine : 2 = 2 := rfl
def broken : Nat := "no"
theorem too_late : 3 = 3 := rfl
"""


def judge(session, text, **asked):
    found = []
    check = FileCheck(Source("a.lean", text), Asked(**asked))
    check.work(session, found.append)
    assert check.done
    return check, found


def test_theorems_in_all_their_forms(session):
    check, found = judge(session, REAL_LIFE)
    assert {item.result for item in found} == {"accepted"}, found
    assert [item.name for item in found] == [
        *("simple", "hidden", "opened", "with_variable", "first", "second"),
        *("fields", "decided", "by_cases'"),
    ]
    assert (
        found[0].line
        == REAL_LIFE.splitlines().index("@[simp] theorem simple (n : Nat) : n + 0 = n := rfl") + 1
    )
    assert check.not_judged == {"definition": 1, "example": 1, "instance": 1}


def test_one_fault_does_not_hide_what_follows(session):
    _, found = judge(session, FAULTY)
    about_the_file = [(item.line, item.result) for item in found if not item.name]
    assert about_the_file == [
        (6, "unchecked"),
        (8, "unchecked"),
        (10, "unchecked"),
        (12, "unchecked"),
    ]
    verdicts = {item.name: item for item in found if item.name}
    assert {name: str(item.result) for name, item in verdicts.items()} == {
        "parsed": "rejected",
        "lie": "rejected",
        "rests_on_it": "rejected",
        "fine": "accepted",
        "swallows": "rejected",
        "also_fine": "accepted",
        "too_late": "unchecked",
    }
    assert verdicts["rests_on_it"].verdict.reason == "contains_sorry"
    assert "error in line 12" in verdicts["too_late"].detail


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import Mathlib\ntheorem a : 1 = 1 := rfl", "imports Mathlib"),
        ("import My.Own\ntheorem a : 1 = 1 := rfl", "an import cannot be read"),
        ("#eval 1\ntheorem a : 1 = 1 := rfl", "Lean read no further"),
        ("example : 1 = 1 := rfl", "it has 1 example"),
        ("-- a comment\n", "it has no declaration"),
    ],
)
def test_what_is_no_question(session, text, said):
    _, (found,) = judge(session, text)
    assert found.result in {"unchecked", "skipped"}
    assert said in found.detail


def test_a_whole_file_for_a_given_statement(session):
    text = "import Std\ndef two := 2\ntheorem a : 1 + 1 = 2 := rfl\n"
    _, (found,) = judge(session, text, statement="theorem a : 1 + 1 = 2")
    assert (found.name, found.result) == ("a", "accepted")
    _, (found,) = judge(session, text, statement="theorem a : 1 + 1 = 3")
    assert found.verdict.reason == "statement_mismatch"
