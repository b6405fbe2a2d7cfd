import numpy as np
import pytest

from ragsolver_rag import meaning
from ragsolver_rag.facts import facts_of, priors_of
from ragsolver_rag.meaning import DIMENSIONS, learn_meanings

WORDS = {"image": "range", "kernel": "ker", "join": "sup", "meet": "inf", "square": "sq"}
"""What documentation says, and what names say."""
OBJECTS = [f"object{n}" for n in range(12)]


def corpus(repeated=4):
    """Declarations named after an object and a word; half of them are documented."""
    fields = []
    for _ in range(repeated):
        for thing in OBJECTS:
            for number, (said, named) in enumerate(WORDS.items()):
                of = {"name": (thing, named), "conclusion": (named, thing, "eq")}
                documented = (OBJECTS.index(thing) + number) % 2
                fields.append({**of, "doc": ("the", said, "of", thing) if documented else ()})
    return fields


def facts(fields):
    count = len(fields)
    nothing = [""] * count
    modules = [f"M{n // 40}" for n in range(count)]
    return facts_of(fields, priors_of([0] * count, ["theorem"] * count, nothing, nothing, modules))


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(meaning, "LEAST_EXAMPLES", 10)
    monkeypatch.setattr(meaning, "BUCKETS", 500)
    monkeypatch.setattr(meaning, "_BATCH", 20)
    monkeypatch.setattr(meaning, "_EPOCHS", 8)


def learned(fields, **changes):
    found = facts(fields)
    return found, learn_meanings(found, np.ones(len(fields), np.bool_), **changes)


def first(found, meanings, *words):
    vector = meanings.of(found.numbers(words))
    likeness = meanings.likeness(vector, np.arange(found.count))
    return int(np.argmax(likeness))


def test_words_of_documentation_find_names_that_nobody_documented():
    fields = corpus()
    found, meanings = learned(fields)
    bare = [
        (said, thing, named)
        for thing in OBJECTS
        for number, (said, named) in enumerate(WORDS.items())
        if not (OBJECTS.index(thing) + number) % 2
    ]
    right = [
        fields[first(found, meanings, "the", said, "of", thing)]["name"] == (thing, named)
        for said, thing, named in bare
    ]
    assert np.mean(right) > 0.8


def test_the_same_corpus_teaches_the_same():
    one, other = learned(corpus(1))[1], learned(corpus(1))[1]
    assert np.array_equal(one.terms, other.terms)
    assert np.array_equal(one.declarations, other.declarations)


def test_vectors_have_unit_length():
    found, meanings = learned(corpus(1))
    lengths = np.linalg.norm(meanings.declarations.astype(np.float32), axis=1)
    assert lengths == pytest.approx(1, abs=1e-2)
    assert np.linalg.norm(meanings.of(found.numbers(["image"]))) == pytest.approx(1, abs=1e-5)
    assert meanings.of([]) is None
    assert meanings.declarations.shape == (found.count, DIMENSIONS)


def test_what_is_left_out_teaches_nothing():
    fields = corpus(1)
    documented = [n for n, of in enumerate(fields) if of["doc"]]
    assert learned(fields, left_out=documented)[1] is None
    some = learned(fields, left_out=documented[:5])[1]
    assert not np.array_equal(some.terms, learned(fields)[1].terms)


def test_what_a_machine_wrote_teaches_nothing():
    found = facts(corpus(1))
    assert learn_meanings(found, np.zeros(found.count, np.bool_)) is None
