from ragsolver_rag.source.masking import mask


def test_comments_and_strings_become_blanks_of_the_same_length():
    source = 'a -- b\n/- c /- d -/ -/ e "f -- g" r"\\" r#"h"i"# \'"\' x\' "j"'
    found = mask(source)
    assert len(found.code) == len(source)
    assert [w for w in found.code.split() if not set(w) <= {"_"}] == ["a", "e", "'\"'", "x'"]
    assert found.code.count("\n") == 1


def test_documentation_is_kept_aside():
    found = mask("/-- one -/\n/-! # two -/\n/- three -/ def x := 1")
    assert [doc.text for doc in found.docs] == ["one"]
    assert [doc.text for doc in found.module_docs] == ["# two"]
    assert found.docs[0].end == 10


def test_what_is_never_closed_ends_with_the_text():
    assert mask("a /- b").code.strip() == "a"
    assert mask('a "b').code.strip() == "a __"
    assert mask('a r"b').code.strip() == "a ___"
