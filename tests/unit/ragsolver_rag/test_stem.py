import pytest

from ragsolver_rag.stem import stem


@pytest.mark.parametrize(
    "forms",
    [
        "convex convexity", "compact compactness compactly", "embedding embeddings embed",
        "mapped mapping map", "conjugate conjugation", "nilpotent nilpotency", "class classes",
        "measurable measurability", "close closed", "categories category",
    ],
)  # fmt: skip
def test_forms_of_a_word_meet(forms):
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["measure measurable", "ring string", "element ele", "time tim"])
def test_different_words_stay_apart(pair):
    first, second = pair.split()
    assert stem(first) != stem(second)


@pytest.mark.parametrize("word", ["classes", "increasing", "indices", "17", "α", "x", "lemmas"])
def test_a_stem_is_its_own_stem(word):
    assert stem(stem(word)) == stem(word)
