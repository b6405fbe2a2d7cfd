"""Against values computed by hand or printed in the literature."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_runtime.evaluate.statistics import (
    bootstrap,
    holm,
    mcnemar,
    pass_at_k,
    quantile,
    wilson,
)


def test_pass_at_k_known_values() -> None:
    assert pass_at_k(1, 1, 1) == 1.0
    assert pass_at_k(4, 1, 1) == 0.25
    assert pass_at_k(4, 1, 2) == pytest.approx(0.5)
    assert pass_at_k(10, 3, 5) == pytest.approx(1 - 21 / 252)
    assert pass_at_k(5, 4, 2) == 1.0


@pytest.mark.parametrize(("samples", "passed", "k"), [(2, 1, 3), (2, 1, 0), (2, 3, 1)])
def test_pass_at_k_is_not_guessed(samples: int, passed: int, k: int) -> None:
    with pytest.raises(ValueError, match="not defined"):
        pass_at_k(samples, passed, k)


@given(st.integers(1, 30), st.data())
def test_pass_at_k_is_the_share_of_subsets_with_a_success(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    product = math.prod((n - c - i) / (n - i) for i in range(k))
    assert pass_at_k(n, c, k) == pytest.approx(1 - max(0.0, product))


def test_wilson_known_values() -> None:
    """15 of 75 (Newcombe 1998 uses the same formula); 0 of 10; 10 of 10."""
    assert wilson(0.2, 75) == pytest.approx((0.1251, 0.3044), abs=1e-3)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.5, 0) == (0.0, 1.0)


@given(st.integers(1, 200), st.data())
def test_wilson_holds_the_share_and_stays_a_share(n: int, data: st.DataObject) -> None:
    share = data.draw(st.integers(0, n)) / n
    low, high = wilson(share, n)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


def test_mcnemar_is_the_exact_binomial() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(1, 0) == 1.0
    assert mcnemar(0, 6) == pytest.approx(2 / 64)
    assert mcnemar(2, 8) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert mcnemar(5, 5) == 1.0


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_knows_no_sides(a: int, b: int) -> None:
    assert mcnemar(a, b) == mcnemar(b, a)
    assert 0 < mcnemar(a, b) <= 1


def test_holm_known_values() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_bootstrap_is_repeatable_and_holds_the_mean() -> None:
    values = [0.0] * 20 + [1.0] * 20
    found = bootstrap(values)
    assert found == bootstrap(values)
    assert found is not None
    assert found.low < 0.5 < found.high
    assert found == pytest.approx((0.35, 0.65), abs=0.03)
    assert bootstrap([1.0, 1.0]) == (1.0, 1.0)
    assert bootstrap([]) is None


def test_quantiles_lie_between_neighbours() -> None:
    assert quantile([1.0, 2.0, 4.0], 0.5) == 2.0
    assert quantile([1.0, 2.0], 0.25) == 1.25
    assert quantile([3.0], 0.9) == 3.0
    with pytest.raises(ValueError, match="no quantile"):
        quantile([], 0.5)
