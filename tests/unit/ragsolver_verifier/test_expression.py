import pytest

from ragsolver_contracts.lean import Expression
from ragsolver_verifier.errors import ProtocolError
from ragsolver_verifier.expression import DEEPEST, LARGEST, read_expression

NAT = {"c": "Nat"}


def numeral(value):
    return {"n": value, "t": "Nat"}


def test_an_equation_has_its_sort_and_its_sides():
    read = read_expression({"c": "Eq", "t": "Int", "a": [{"v": "x"}, {"n": 3, "t": "Int"}]})
    assert (read.kind, read.name, read.sort) == ("constant", "Eq", "Int")
    assert read.args == (
        Expression(kind="variable", name="x"),
        Expression(kind="numeral", value=3, sort="Int"),
    )


def test_binders_have_type_and_body():
    tree = {"b": "forall", "x": "n", "t": NAT, "e": {"b": "imp", "x": "a", "t": NAT, "e": NAT}}
    read = read_expression(tree)
    assert (read.kind, read.name) == ("forall", "n")
    assert read.args[1].kind == "implies"


def test_a_let_is_its_body():
    tree = {"b": "let", "x": "k", "t": NAT, "value": numeral(1), "e": {"v": "k"}}
    assert read_expression(tree) == Expression(kind="variable", name="k")


def test_an_applied_variable_keeps_its_arguments():
    read = read_expression({"v": "f", "a": [numeral(2)]})
    assert (read.kind, read.args[0].value) == ("variable", 2)


def test_names_of_macros_are_marked():
    assert read_expression({"v": "a._@._internal._hyg.0"}).name == "a✝"


def test_other_terms_keep_their_text():
    assert read_expression({"pp": "?"}).text == "?"
    projected = read_expression({"proj": "And", "i": 0, "e": {"v": "h"}})
    assert (projected.kind, projected.text) == ("other", "projection 0 of And")
    assert read_expression({"sort": "Type"}).kind == "sort"
    assert read_expression({"s": "text"}).text == "text"


@pytest.mark.parametrize("depth", [DEEPEST + 1, 5_000])
def test_a_term_that_is_too_deep_is_not_told(depth):
    tree = {"v": "x"}
    for _ in range(depth):
        tree = {"c": "Nat.succ", "a": [tree]}
    assert read_expression(tree) is None


def test_a_term_of_too_many_parts_is_not_told():
    assert read_expression({"c": "f", "a": [NAT] * LARGEST}) is None
    assert read_expression({"c": "f", "a": [NAT] * (LARGEST - 1)}) is not None


@pytest.mark.parametrize("tree", [None, [], {"n": "x"}, {"b": "odd", "t": NAT, "e": NAT}])
def test_nonsense_is_a_protocol_error(tree):
    with pytest.raises(ProtocolError):
        read_expression(tree)
