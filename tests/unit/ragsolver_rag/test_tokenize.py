import math

import pytest

from ragsolver_rag.tokenize import bm25, inverse_document_frequency, term_frequencies, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nat.add_comm", ("nat", "add", "comm")),
        ("addition of natural numbers is commutative", ("add", "of", "nat", "comm")),
        ("n + m ≤ 27", ("add", "le", "27")),
        (r"$\gcd(m, n) \mid m$", ("gcd", "dvd")),
        ("getElem?_map", ("get", "elem", "get", "map")),
        ("UInt8.toNat", ("uint8", "nat")),
        ("x is less than or equal to y", ("le",)),
        ("List.IsPrefix", ("list", "prefix")),
        ("transitive", ("trans",)),
        ("Nat.dvd_trans", ("nat", "dvd", "trans")),
        ("", ()),
    ],
)
def test_terms(text, expected):
    assert terms(text) == expected


def test_glue_is_left_out_but_not_inside_a_phrase():
    glue = frozenset({"or", "of"})
    assert terms("p or q", glue) == ()
    assert terms("less than or equal", glue) == ("le",)
    assert terms("disjunction of sets", glue) == ("or", "set")


def test_words_keep_everything():
    assert words("The Nat.add_comm of x₁") == ["the", "nat", "add", "comm", "of", "x"]


def test_frequencies_and_weights():
    assert term_frequencies(["a", "b", "a", "c"]) == {"a": 0.5, "b": 0.25, "c": 0.25}
    assert inverse_document_frequency(10, 0) == pytest.approx(math.log(22))
    with pytest.raises(ValueError, match="within 0 and N=3"):
        inverse_document_frequency(3, 4)


def test_bm25_rewards_rare_terms_and_short_texts():
    weights = {"rare": 2.0, "usual": 0.1}
    assert bm25(["rare"], {"rare": 1}, weights, 1) > bm25(["usual"], {"usual": 1}, weights, 1)
    short, long = {"rare": 1}, {"rare": 1, "x": 9}
    assert bm25(["rare"], short, weights, 5) > bm25(["rare"], long, weights, 5)
    assert bm25(["none"], short, weights, 5) == 0.0
    assert bm25(["rare"], short, weights, 0) > 0
