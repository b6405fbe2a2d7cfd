from ragsolver_runtime.evaluate.compare import Rate, comparisons, rates
from ragsolver_runtime.evaluate.outcomes import ProblemResult


def result(name: str, outcome: str) -> ProblemResult:
    return ProblemResult(name=name, outcome=outcome)


def test_only_what_says_something_of_the_configuration_is_a_sample() -> None:
    outcomes = ("solved", "not_proved", "infrastructure", "statement_false", "open", "cancelled")
    found = rates(result("a", outcome) for outcome in outcomes)
    assert found == {"a": Rate(3, 1)}
    assert rates([result("b", "infrastructure")]) == {}


def test_pairs_are_problems_that_both_sampled() -> None:
    base = {"a": Rate(1, 1), "b": Rate(1, 0), "c": Rate(1, 1), "only": Rate(1, 1)}
    other = {"a": Rate(1, 0), "b": Rate(1, 1), "c": Rate(1, 0)}
    (found,) = comparisons("full", {"full": base, "other": other})
    assert (found.pairs, found.better, found.worse) == (3, ("b",), ("a", "c"))
    assert found.difference == -0.333333
    assert found.p_value == found.p_holm == 1.0
    assert found.interval is not None
    assert found.interval[0] == -1.0


def test_nothing_in_common_is_no_difference() -> None:
    (found,) = comparisons("full", {"full": {"a": Rate(1, 1)}, "other": {}})
    assert (found.pairs, found.difference, found.interval) == (0, None, None)
