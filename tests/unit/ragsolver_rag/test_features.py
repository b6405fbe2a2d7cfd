import numpy as np
import pytest

from ragsolver_rag.facts import facts_of, priors_of, shape_number
from ragsolver_rag.features import FEATURES, Asked, Channels, feature_rows

FIELDS = [
    {"name": ("galois", "connection"), "last": ("connection",), "doc": ("pair", "of", "map"),
     "shape": ("shapeab01ab01ab01",)},
    {"name": ("map", "of", "pair"), "last": ("pair",)},
    {"name": ("other",)},
]  # fmt: skip
FACTS = facts_of(
    FIELDS, priors_of([0.5, 0, 0], ["class", "theorem", "def"], ["", "", "simps"], ["", "", "yes"],
                      ["A"] * 3)
)  # fmt: skip
ORDERS = np.array([0, 1, 2])
NAN, INF = float("nan"), float("inf")
CHANNELS = Channels(
    np.array([0.9, NAN, 0.2], np.float32), np.array([1, INF, 2], np.float32),
    np.array([INF, INF, 1], np.float32), np.array([0.1, 0.8, 0.0], np.float32),
    np.array([INF, 1, INF], np.float32),
)  # fmt: skip


def rows(*words, hidden=(), **changes):
    asked = Asked(FACTS.numbers(words), **{"unknown": 0, "formula": False, **changes})
    return feature_rows(FACTS, asked, ORDERS, CHANNELS, hidden)


def column(found, name):
    return found[:, FEATURES.index(name)].tolist()


def test_there_is_one_column_per_feature():
    found = rows("pair", "of", "map")
    assert found.shape == (3, len(FEATURES))
    assert np.isfinite(found).all()
    assert len(set(FEATURES)) == len(FEATURES)


def test_matches_count_by_field_and_order():
    found = rows("pair", "of", "map")
    assert column(found, "cover") == pytest.approx([1, 1, 0], abs=1e-4)
    assert column(found, "cover_doc")[0] == pytest.approx(1, abs=1e-4)
    assert column(found, "pairs_doc")[0] == pytest.approx(1, abs=1e-4)
    assert column(found, "pairs_name") == [0, 0, 0]
    assert column(found, "precise_name")[1] == pytest.approx(1, abs=1e-4)
    assert column(found, "evidence")[2] == 0


def test_terms_that_nobody_has_lower_the_cover():
    assert column(rows("pair", unknown=1), "cover")[0] < 0.7


def test_hidden_fields_are_as_if_empty():
    found = rows("pair", "of", "map", hidden=("doc",))
    assert column(found, "cover")[0] == 0
    assert column(found, "has_doc") == [0, 0, 0]


def test_a_stated_shape_counts_more_where_few_have_it():
    found = rows("map", formula=True, shapes=[shape_number("shapeab01ab01ab01")])
    assert column(found, "shape") == column(found, "shape_rare") == [1, 0, 0]


def test_channels_and_priors():
    found = rows("galois")
    assert column(found, "cosine") == pytest.approx([0.9, 0.2, 0.2])
    assert column(found, "lexical_rank") == pytest.approx([1, 0, 10 / 11])
    assert column(found, "generated") == [0, 0, 1]
    assert column(found, "kind_class") == [1, 0, 0]
    assert column(found, "deprecated") == [0, 0, 1]


def test_without_terms_nothing_matches():
    assert column(rows(unknown=2), "cover") == [0, 0, 0]
