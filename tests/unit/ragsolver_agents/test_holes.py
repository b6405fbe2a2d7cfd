"""Goals as theorems: what cannot be written gets another name on both sides of the hole."""

import pytest

from ragsolver_agents.holes import applied, declaration_of, spliced, stated
from ragsolver_contracts.lean import Binder, HoleView, Position, StatementView


def goal(target, *binders, line=1, start=0, end=5, is_term=False):
    return HoleView(
        start=Position(line=line, column=start),
        end=Position(line=line, column=end),
        is_term=is_term,
        view=StatementView(
            type=target,
            target=target,
            binders=tuple(
                Binder(name=name, type=type_, binder=(kind or ["explicit"])[0])
                for name, type_, *kind in binders
            ),
        ),
    )


def test_hypotheses_become_binders():
    theorem = stated(goal("n < 7", ("n", "ℕ"), ("h", "n < 5")), "t_a1_h1")
    assert theorem.statement == "theorem t_a1_h1 (n : ℕ) (h : n < 5) : n < 7"
    assert (theorem.names, theorem.renamed) == (("n", "h"), ())
    assert applied(theorem, "t_a1_h1") == "@t_a1_h1 n h"


def test_hidden_names_are_given_anew_from_the_last_to_the_first():
    hole = goal("p✝ ∧ p", ("x", "p✝"), ("p✝", "Prop"), ("p", "Prop"), ("x✝", "p"), ("x", "p✝"))
    theorem = stated(hole, "d")
    assert theorem.renamed == ("x_2", "p_1", "x_1")
    assert theorem.statement == (
        "theorem d (x_2 : p_1) (p_1 : Prop) (p : Prop) (x_1 : p) (x : p_1) : p_1 ∧ p"
    )


def test_two_hidden_variables_of_one_name_are_told_apart():
    hole = goal("x✝¹ < x✝", ("x✝", "ℕ"), ("x✝", "ℕ"))
    assert stated(hole, "d").statement == "theorem d (x_2 : ℕ) (x_1 : ℕ) : x_2 < x_1"


def test_a_new_name_is_none_that_occurs():
    hole = goal("x✝ < x_1 + x_2", ("x✝", "ℕ"), ("x_1", "ℕ"), ("x_2", "ℕ"))
    assert stated(hole, "d").renamed == ("x_3",)


def test_instances_stay_instances_and_all_else_is_explicit():
    hole = goal(
        "a = a",
        ("α", "Type u", "implicit"),
        ("inst✝", "BEq α", "instance"),
        ("a", "α", "explicit"),
    )
    theorem = stated(hole, "d", levels=("u", "v"))
    assert theorem.statement == "theorem d.{u} (α : Type u) [inst_1 : BEq α] (a : α) : a = a"
    assert theorem.renamed == ("inst_1",)


@pytest.mark.parametrize("header", ["universe u v", "import Mathlib\nuniverse  u\nopen Nat"])
def test_universes_of_the_header_are_not_declared_again(header):
    hole = goal("True", ("α", "Type (max u w)"))
    assert stated(hole, "d", levels=("u", "w"), header=header).statement.startswith(
        "theorem d.{w} "
    )


@pytest.mark.parametrize(
    ("parent", "name"),
    [
        ("Nat.foo", "Nat.foo_a2_h3"),
        ("«odd name»", "odd_name_a2_h3"),
        ("_root_.foo'", "foo'_a2_h3"),
        ("été.2b", "t.p2b_a2_h3"),
        ("∀", "problem_a2_h3"),
    ],
)
def test_names_of_theorems_are_legal(parent, name):
    assert declaration_of(parent, 2, "h3") == name


def test_holes_are_filled_where_they_stand():
    text = "by\n  have h : 1 = 1 := sorry\n  sorry"
    first = goal("1 = 1", line=2, start=20, end=25, is_term=True)
    second = goal("x✝ = x✝", ("x✝", "ℕ"), line=3, start=2, end=7)
    fills = [(stated(first, "a"), "rfl"), (stated(second, "b"), "by\n  rfl")]
    assert spliced(text, [first, second], fills) == (
        "by\n  have h : 1 = 1 := (by exact (rfl))\n"
        "  (rename_i x_1; exact (\n      by\n        rfl))"
    )
