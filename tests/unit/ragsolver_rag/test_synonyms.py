from ragsolver_rag import lexicon
from ragsolver_rag.synonyms import GROUPS_MORE, LATEX_MORE, PHRASES_MORE, SYMBOLS_MORE
from ragsolver_rag.tokenize import terms


def test_the_vocabulary_of_mathlib_is_in_use():
    assert SYMBOLS_MORE.items() <= lexicon.SYMBOLS.items() | SYMBOLS_MORE.items()
    assert set(PHRASES_MORE) <= set(lexicon.PHRASES)
    assert set(GROUPS_MORE) <= set(lexicon.CANONICAL)
    assert set(LATEX_MORE) <= set(lexicon.LATEX)


def test_words_of_the_trade_meet_names_and_symbols():
    assert terms("the join of two elements")[0] == terms("a ⊔ b")[0] == terms(r"\sqcup")[0]
    assert terms("almost everywhere") == terms("∀ᵐ x") == ("ae",)
    assert terms("f ⁻¹' s") == terms("preimages") == ("preimage",)
    assert terms("M →ₗ[R] N") == ("lin", "map")
    assert terms("vector space") == ("modul",)


def test_escaped_signs_of_latex_are_no_differences():
    assert "sdiff" not in terms(r"\{x \mid x\, y\}")
    assert terms(r"\|x\|") == ("norm", "norm")
    assert "sub" not in terms("a 2-category and `R`-modules, $p$-adic")
