import pytest

from ragsolver_rag.evaluate.metrics import (
    group_measures,
    interval,
    mean_of,
    ndcg_at_10,
    paired,
    query_measures,
)


def test_ndcg_of_one_answer():
    assert [ndcg_at_10(r) for r in (1, 3, 11, None)] == [1.0, 0.5, 0.0, 0.0]


def test_measures_of_a_rank():
    found = query_measures(9)
    assert (found["R@8"], found["R@10"], found["MRR"]) == (0.0, 1.0, pytest.approx(1 / 9))
    assert set(query_measures(None).values()) == {0.0}


def test_groups_count_by_share():
    assert group_measures([1, 9, 60, None]) == {
        "group R@8": 0.25, "group R@10": 0.5, "group R@20": 0.5, "group R@50": 0.5,
    }  # fmt: skip


def test_an_interval_holds_the_mean_and_does_not_change():
    values = [0.0, 1.0] * 50
    low, high = interval(values)
    assert 0.35 < low < 0.5 < high < 0.65
    assert interval(values) == (low, high)
    assert interval([]) == (0.0, 0.0)


def test_a_paired_difference_is_surer_than_two_means():
    worse, better = [0.0, 0.5] * 40, [0.1, 0.6] * 40
    told = paired(worse, better)
    assert told["difference"] == pytest.approx(0.1)
    assert told["low"] == pytest.approx(told["high"])
    assert told["p"] == 0.0
    assert paired(worse, worse)["p"] == 1.0
    with pytest.raises(ValueError, match="1 values against 2"):
        paired([1], [1, 2])


def test_means():
    assert mean_of([{"a": 1.0}, {"a": 0.0}]) == {"a": 0.5}
    assert mean_of([]) == {}
