from ragsolver_agents.formalizer.portfolio.mathlib_order import MathlibOrder
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.real_numbers import REAL_VIEW, real_view


def scripts(statement, *, mathlib=True):
    asked = Asked(statement, mathlib=mathlib)
    return {script.strategy: script.proof for script in MathlibOrder().scripts(asked)}


def test_hints_are_squares_and_products_of_hypotheses():
    found = scripts(REAL_VIEW)
    assert found["mathlib_order/nlinarith_plain"] == "by\n  nlinarith"
    squares = found["mathlib_order/nlinarith_squares"]
    assert "sq_nonneg (a - b), sq_nonneg a, sq_nonneg b" in squares
    products = found["mathlib_order/nlinarith_products"]
    assert "mul_nonneg (le_of_lt ha.1) hb" in products
    assert squares.split("[")[1].rstrip("]") in found["mathlib_order/nlinarith_all"]


def test_bounds_are_multiplied():
    found = scripts(real_view("a * b ≤ 6", ("h", "a ≤ 2"), ("k", "b ≤ 3")))
    assert (
        "mul_nonneg (sub_nonneg.mpr h) (sub_nonneg.mpr k)"
        in (found["mathlib_order/nlinarith_products"])
    )


def test_only_inequalities_and_only_with_mathlib():
    assert scripts(real_view("a = b")) == {}
    assert scripts(REAL_VIEW, mathlib=False) == {}
