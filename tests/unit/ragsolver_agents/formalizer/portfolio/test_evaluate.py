"""Values are those of Lean's `Nat` and `Int`."""

import pytest

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number, truth
from suites.term_text import parse

NAT, INT = {"a": "Nat", "b": "Nat"}, {"a": "Int", "b": "Int"}


@pytest.mark.parametrize(
    ("text", "sorts", "values", "expected"),
    [
        ("a - b", NAT, (3, 5), 0),
        ("a - b", INT, (3, 5), -2),
        ("a % b", NAT, (7, 0), 7),
        ("a / b", NAT, (7, 0), 0),
        ("a % b", INT, (-7, 3), 2),
        ("a / b", INT, (-7, 3), -3),
        ("a / b", INT, (-7, -3), 3),
        ("a % b", INT, (-7, -3), 2),
        ("a ^ b", NAT, (2, 10), 1024),
        ("a.gcd b", NAT, (12, 18), 6),
        ("Nat.lcm a b", NAT, (4, 6), 12),
        ("-a + b", INT, (3, 1), -2),
    ],
)
def test_numbers(text, sorts, values, expected):
    assert number(parse(text), dict(zip("ab", values, strict=True)), sorts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 ∣ a", False),
        ("3 ∣ a", True),
        ("a < b ∧ b ≤ 7", True),
        ("a = b ∨ a ≠ b", True),
        ("a > b → 1 = 2", True),
        ("¬a ≥ b", True),
        ("a = 6 ↔ b = 8", False),
    ],
)
def test_propositions(text, expected):
    assert truth(parse(text), {"a": 6, "b": 7}, NAT) is expected


@pytest.mark.parametrize(
    "text", ["f a = 1", "∀ (n : ℕ), n = n", "a ^ 99999 = 1", "c = 1", "a ^ 4000 * a ^ 4000 = 1"]
)
def test_what_cannot_be_evaluated_is_said(text):
    with pytest.raises(UnknownValueError):
        truth(parse(text), {"a": 6, "b": 7}, NAT)
