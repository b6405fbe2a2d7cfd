import pytest

from ragsolver_rag.statement import split_statement, split_type


@pytest.mark.parametrize(
    ("text", "hypotheses", "conclusion"),
    [
        ("∀ (n m : Nat), n + m = m + n", ("Nat",), "n + m = m + n"),
        ("∀ {a b : Int}, a ≤ b → b ≤ a → a = b", ("Int", "a ≤ b", "b ≤ a"), "a = b"),
        ("∀ {α : Type u_1} [inst : BEq α] (x : α), x == x", ("BEq α", "α"), "x == x"),
        ("(a → b) → ¬b → ¬a", ("a → b", "¬b"), "¬a"),
        ("{α : Type u} → List α → Nat", ("List α",), "Nat"),
        ("∃ n, n > 0 → True", (), "∃ n, n > 0 → True"),
        ("p →\n  ∀ (x : Nat), q x", ("p", "Nat"), "q x"),
        (
            "(∀ (i : Nat), x.testBit i = y.testBit i) → x = y",
            ("∀ (i : Nat), x.testBit i = y.testBit i",),
            "x = y",
        ),
        ("Nat", (), "Nat"),
        ("", (), ""),
    ],
)
def test_types_are_split(text, hypotheses, conclusion):
    assert split_type(text) == (hypotheses, conclusion)


@pytest.mark.parametrize(
    ("text", "hypotheses", "conclusion"),
    [
        ("theorem t (n : Nat) (h : 0 < n) : n ≠ 0 := by sorry", ("Nat", "0 < n"), "n ≠ 0"),
        ("lemma foo : 1 + 1 = 2", (), "1 + 1 = 2"),
        (
            "example (l : List Nat) (h : l = x :: xs) : l ≠ []",
            ("List Nat", "l = x :: xs"),
            "l ≠ []",
        ),
        ("n : Nat\nh : 0 < n\n⊢ n ≠ 0", ("Nat", "0 < n"), "n ≠ 0"),
        ("n % 2 = 0 ∨ n % 2 = 1", (), "n % 2 = 0 ∨ n % 2 = 1"),
    ],
)
def test_statements_and_goals_are_split(text, hypotheses, conclusion):
    assert split_statement(text) == (hypotheses, conclusion)
