import pytest

from ragsolver_agents.formalizer.portfolio.expressions import plain_type, term_of, type_of
from ragsolver_agents.formalizer.portfolio.terms import Call, Num, Op, Quantifier, Var, render
from ragsolver_contracts.lean import Expression
from suites.term_text import expression, parse

NAT = Expression(kind="constant", name="Nat")
INT = Expression(kind="constant", name="Int")
N = Expression(kind="variable", name="n")


def constant(name, *args, sort=""):
    return Expression(kind="constant", name=name, sort=sort, args=args)


def numeral(value, sort="Nat"):
    return Expression(kind="numeral", value=value, sort=sort)


@pytest.mark.parametrize(
    "text",
    [
        "(x + y) * 2 ^ n - 1 = 3 / x % 7",
        "-↑x < ↑n → ¬7 ∣ x ∨ x ≠ 2 ∧ x ≥ 1",
        "∀ (n : ℕ), n ≤ 3 ↔ u n > 4",
        "∃ (x : Int) (y : Int), x = y",
        "Nat.gcd a b = 1",
    ],
)
def test_a_written_term_and_its_expression_are_the_same(text):
    assert term_of(expression(text)) == parse(text)


def test_quantifiers_have_the_type_of_their_variable():
    body = constant("Eq", N, numeral(1, "Int"), sort="Int")
    bound = Expression(kind="fun", name="n", args=(INT, body))
    said = Op("=", (Var("n"), Num(1)))
    assert term_of(constant("Exists", bound)) == Quantifier("∃", "n", "Int", said)


def test_what_has_no_symbol_is_a_call():
    item = constant("ite", constant("True"), N, numeral(2))
    assert term_of(item) == Call("ite", (Var("True"), Var("n"), Num(2)))


@pytest.mark.parametrize("name", ["Nat.cast", "NatCast.natCast", "Int.ofNat"])
def test_every_coercion_is_an_arrow(name):
    assert term_of(constant(name, N)) == Op("↑", (Var("n"),))


@pytest.mark.parametrize(
    "item",
    [
        None,
        numeral(3, "Fin"),
        constant("HAdd.hAdd", N, N, sort="BitVec"),
        constant("HAdd.hAdd", sort="Nat"),
        constant("Eq", Expression(kind="string", text="a"), N),
        Expression(kind="other", text="?"),
        Expression(kind="forall", name="n", args=(Expression(kind="other"), N)),
    ],
)
def test_what_no_strategy_reads_is_no_term(item):
    assert term_of(item) is None


def test_types_are_written_without_notations():
    function = Expression(kind="implies", args=(NAT, Expression(kind="implies", args=(INT, NAT))))
    assert type_of(function, "ℕ → ℤ → ℕ") == "Nat → Int → Nat"
    higher = Expression(kind="implies", args=(function, NAT))
    assert type_of(higher, "") == "(Nat → Int → Nat) → Nat"
    assert type_of(constant("List", constant("Fin", numeral(3))), "") == "List (Fin 3)"


def test_a_type_that_cannot_be_written_keeps_its_text():
    assert type_of(Expression(kind="other"), "ℕ × ℤ") == plain_type("ℕ × ℤ") == "Nat × Int"
    assert type_of(None, "ℕ → \n ℤ") == "Nat → Int"


def test_what_is_rendered_can_be_read_again():
    term = term_of(expression("∀ (n : ℕ), n ≥ 5 → x n = x (n - 1) - 3 * x (n - 2) ^ 2"))
    assert parse(render(term)) == term
