"""Behaviour contract `tokenize`: contracts/behaviour/tokenize.yaml."""

import math
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_rag.lexicon import CANONICAL, LATEX, PHRASES, STOP, SYMBOLS
from ragsolver_rag.tokenize import inverse_document_frequency, term_frequencies, terms

VOCABULARY = sorted({*CANONICAL, *CANONICAL.values(), *STOP, *(w for p in PHRASES for w in p)})
FRAGMENTS = [*SYMBOLS, *(f"\\{c}" for c in LATEX), "Nat.add_comm'", "getElem?", "x₁", "$", "∀ {α}"]

plain_words = st.one_of(
    st.sampled_from(VOCABULARY),
    st.text(string.ascii_lowercase, min_size=1, max_size=9),
)
plain_texts = st.lists(plain_words, max_size=12).map(" ".join)
mathematics = st.lists(st.one_of(plain_words, st.sampled_from(FRAGMENTS)), max_size=12).map(
    " ".join
)
any_text = st.one_of(st.text(max_size=60), mathematics, plain_texts)


@given(any_text)
def test_terms_are_lower_case_and_alphanumeric(text):
    found = terms(text)
    assert all(term and term.isalnum() and term == term.lower() for term in found)


@given(plain_texts)
def test_plain_text_never_gives_more_terms_than_words(text):
    assert len(terms(text)) <= len(text.split())


@given(st.lists(plain_words, max_size=8))
def test_sentence_capitals_and_punctuation_change_nothing(found):
    """A single letter is a variable with or without a capital, and left out of this."""
    found = [word for word in found if len(word) > 1]
    sentence = ", ".join(word.capitalize() for word in found) + "."
    assert terms(sentence) == terms(" ".join(found))


@given(plain_texts)
def test_terms_of_terms_are_themselves(text):
    once = terms(text)
    assert all(terms(term) == (term,) for term in once)


@given(any_text)
def test_frequencies_are_shares(text):
    shares = term_frequencies(terms(text))
    assert all(0 < share <= 1 for share in shares.values())
    assert sum(shares.values()) <= 1 + 1e-9
    assert set(shares) == set(terms(text))


@given(st.integers(1, 10**9), st.data())
def test_idf_is_not_negative_and_falls_strictly(documents, data):
    more = data.draw(st.integers(1, documents))
    fewer = data.draw(st.integers(0, more - 1))
    assert inverse_document_frequency(documents, more) >= 0
    low, high = (inverse_document_frequency(documents, df) for df in (more, fewer))
    assert low < high
    written = math.log((documents - more + 0.5) / (more + 0.5) + 1)
    assert low == pytest.approx(written, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    "ways",
    [
        ("n + m ≤ m * n", r"$n + m \le m \cdot n$", "add le mul", "sum adding at most multiply"),
        ("m.gcd n ∣ m", r"$\gcd(m, n) \mid m$", "Nat.gcd_dvd_left", "the gcd divides"),
        ("¬(p ∨ q)", r"\neg (p \lor q)", "not_or", "not a disjunction"),
        ("∃ x ∈ s, p x", r"\exists x \in s", "exists_mem", "exists a member"),
    ],
)
def test_ways_of_saying_the_same_meet(ways):
    formula, *others = (set(terms(way)) for way in ways)
    assert all(len(formula & other) >= 2 for other in others)


def test_a_phrase_is_not_its_words():
    assert terms("greatest common divisor") == ("gcd",)
    assert terms("at most three") == ("le", "three")
    assert "natural" not in terms("natural numbers")


@pytest.mark.parametrize(("documents", "containing"), [(3, 4), (3, -1), (0, 1)])
def test_impossible_counts_are_refused(documents, containing):
    with pytest.raises(ValueError, match="df must be within"):
        inverse_document_frequency(documents, containing)
