import numpy as np
import pytest

from ragsolver_rag.facts import (
    TermLists,
    facts_of,
    popularity_of,
    priors_of,
    shape_number,
    term_weights,
)

FIELDS = [
    {"name": ("add", "comm"), "doc": ("sum",), "shape": ("shapeab01ab01ab01",)},
    {"name": ("mul",)},
    {"name": ("add", "add")},
]
PRIORS = priors_of([1, 0, 0.5], ["theorem", "def", "odd"], ["", "simps", "alias"], ["", "", "yes"],
                   ["A", "B", "A"])  # fmt: skip


def test_mean_lengths_count_those_that_have_the_field():
    facts = facts_of(FIELDS, PRIORS)
    assert facts.mean_lengths["name"] == pytest.approx(5 / 3)
    assert facts.mean_lengths["doc"] == 1.0
    assert facts.mean_lengths["note"] == 1.0
    assert facts.rarest == facts.weights.max()


def test_terms_are_numbered_and_weighed():
    facts = facts_of(FIELDS, PRIORS)
    assert facts.count == 3
    add, mul = facts.numbers(["add", "no such", "mul"])
    assert facts.weights[add] < facts.weights[mul]
    terms, owners = facts.fields["name"].of(np.array([2, 0]))
    assert terms.tolist() == [add, add, add, facts.vocabulary["comm"]]
    assert owners.tolist() == [0, 0, 1, 1]
    assert facts.fields["note"].of(np.array([0, 1]))[0].tolist() == []


def test_shapes_are_numbers():
    shapes = facts_of(FIELDS, PRIORS).shapes
    assert shapes.terms.tolist() == [shape_number("shapeab01ab01ab01")]
    assert 0 <= shape_number("shapeffffffffffff") < 2**31


def test_nothing_is_asked_of_no_declaration():
    lists = TermLists(np.array([0, 2]), np.array([4, 5], np.int32))
    assert [part.tolist() for part in lists.of(np.array([], np.int64))] == [[], []]


def test_priors():
    assert PRIORS.kinds.tolist() == [0, 1, -1]
    assert PRIORS.generated.tolist() == [False, True, False]
    assert PRIORS.alias.tolist() == [False, False, True]
    assert PRIORS.deprecated.tolist() == [False, False, True]
    assert PRIORS.modules.tolist() == [0, 1, 0]


def test_weights_and_popularity():
    assert term_weights([1, 3], 3).tolist() == pytest.approx([0.9808, 0.1335], abs=1e-3)
    assert popularity_of(0, 10) == 0.0
    assert popularity_of(10, 10) == 1.0
    assert popularity_of(3, 0) == 0.0
