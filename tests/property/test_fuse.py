"""Behaviour contract `fuse`: contracts/behaviour/fuse.yaml."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_rag.fuse import fused_scores, reciprocal_rank_fusion

rankings = st.lists(st.integers(0, 12), unique=True, max_size=13)
weights = st.floats(0.01, 4)
fused_lists = st.lists(st.tuples(rankings, weights), max_size=5)
dampings = st.floats(0, 100)


@given(fused_lists, dampings)
def test_every_key_once(lists, k):
    fused = reciprocal_rank_fusion(lists, k)
    assert sorted(fused) == sorted({key for keys, _ in lists for key in keys})


@given(rankings, weights, dampings)
def test_one_list_keeps_its_order(keys, weight, k):
    assert reciprocal_rank_fusion([(keys, weight)], k) == keys


@given(fused_lists, dampings)
def test_scores_are_bounded(lists, k):
    bound = sum(weight for _, weight in lists) / (k + 1)
    assert all(0 < score <= bound * (1 + 1e-9) for score in fused_scores(lists, k).values())


@given(fused_lists, weights, dampings)
def test_ahead_everywhere_is_ahead(lists, weight, k):
    """`a` stands directly before `b` in every list that holds `b`."""
    led = [([x for key in keys for x in (("a", "b") if key == 0 else (key,))], w)
           for keys, w in lists]  # fmt: skip
    led.append((["a", "b"], weight))
    fused = reciprocal_rank_fusion(led, k)
    assert fused.index("a") < fused.index("b")


@given(fused_lists, dampings, st.randoms(use_true_random=False))
def test_the_order_of_lists_changes_no_score(lists, k, random):
    shuffled = random.sample(lists, len(lists))
    assert fused_scores(shuffled, k) == pytest.approx(fused_scores(lists, k))


@given(fused_lists, rankings.filter(lambda keys: len(keys) > 1), weights, dampings)
def test_a_better_rank_never_hurts(lists, keys, weight, k):
    key = keys[-1]
    raised = [*keys[:-2], key, keys[-2]]
    before = fused_scores([*lists, (keys, weight)], k)[key]
    assert fused_scores([*lists, (raised, weight)], k)[key] >= before


@given(fused_lists, rankings, dampings)
def test_a_list_without_weight_decides_nothing(lists, keys, k):
    decided = reciprocal_rank_fusion(lists, k)
    with_it = reciprocal_rank_fusion([*lists, (keys, 0.0)], k)
    assert [key for key in with_it if key in decided] == decided


def test_a_small_k_trusts_first_ranks():
    lists = [(["first", "x", "both"], 1.0), (["y", "z", "both"], 1.0)]
    assert reciprocal_rank_fusion(lists, 60)[0] == "both"
    assert reciprocal_rank_fusion(lists, 0)[0] == "first"
