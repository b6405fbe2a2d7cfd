from ragsolver_rag.compare import compare_corpora
from ragsolver_rag.corpus import Declaration


def declared(name, kind="theorem", said="n = m", module="A", origin=""):
    return Declaration(name=name, kind=kind, module=module, type=said, origin=origin)


def test_what_only_one_has_is_counted_by_what_made_it():
    text = [declared("a"), declared("b"), declared("c", origin="simps"), declared("x", module="B")]
    lean = [declared("a"), declared("a.eq_1"), declared("d", "def"), declared("y", module="C")]
    found = compare_corpora(text, lean)
    assert (found.modules, found.in_both) == (1, 1)
    assert found.only_first == {"": 1, "simps": 1}
    assert found.only_second == {"theorem": 1, "def": 1}
    assert found.examples["only first, written"] == ("b",)


def test_kinds_and_conclusions_that_differ_are_named():
    text = [declared("a", "lemma"), declared("b", "class"), declared("c", "def", "n + m"),
            declared("d", said="∀ n, n ≤ m")]  # fmt: skip
    lean = [declared("a"), declared("b", "structure"), declared("c", said="n + m"),
            declared("d", said="n < m")]  # fmt: skip
    found = compare_corpora(text, lean)
    assert found.kinds_differ == {"def -> theorem": 1}
    assert (found.conclusions_compared, found.conclusions_differ) == (4, 1)
    assert found.examples["conclusions differ"] == ("d",)


def test_a_name_that_moved_is_no_difference_of_names():
    found = compare_corpora([declared("a")], [declared("a", module="B"), declared("z")])
    assert found.elsewhere == 1
    assert found.only_first == {}
