from ragsolver_rag.lexicon import CANONICAL, ENGLISH, LATEX, PHRASES, STOP, SYMBOLS


def test_a_phrase_never_becomes_longer():
    assert all(len(made) <= len(said) for said, made in PHRASES.items())


def test_a_canonical_word_stands_for_itself():
    assert all(CANONICAL[head] == head for head in set(CANONICAL.values()))


def test_vocabulary_is_lower_case_words():
    spoken = [*SYMBOLS.values(), *LATEX.values(), *CANONICAL, *CANONICAL.values(), *STOP]
    spoken += [*ENGLISH, *ENGLISH.values(), *(w for p in PHRASES.values() for w in p)]
    assert all(w.replace(" ", "").isalnum() and w == w.lower() for w in spoken)
