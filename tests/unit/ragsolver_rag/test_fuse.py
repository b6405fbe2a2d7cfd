import pytest

from ragsolver_rag.fuse import fused_scores, reciprocal_rank_fusion


def test_scores_are_sums_of_weighted_reciprocal_ranks():
    scores = fused_scores([(["a", "b"], 1.0), (["b", "c"], 2.0)], k=10)
    assert scores == pytest.approx({"a": 1 / 11, "b": 1 / 12 + 2 / 11, "c": 2 / 12})


def test_what_two_lists_agree_on_comes_first():
    assert reciprocal_rank_fusion([(["a", "b"], 1.0), (["c", "b"], 1.0)], k=10)[0] == "b"


def test_a_repeated_key_counts_once_at_its_best_rank():
    assert fused_scores([(["a", "a", "b"], 1.0)], k=0) == {"a": 1.0, "b": 0.5}


def test_nothing_fused_is_nothing():
    assert reciprocal_rank_fusion([], k=10) == []


@pytest.mark.parametrize(("k", "weight"), [(-1, 1.0), (1, -0.5)])
def test_negative_numbers_are_refused(k, weight):
    with pytest.raises(ValueError, match="negative"):
        fused_scores([(["a"], weight)], k)
