from ragsolver_rag.queries import prepare
from ragsolver_rag.shape import shape


def test_english_loses_its_glue():
    query = prepare("the product of two numbers and their gcd", "nl")
    assert query.terms == ("product", "their", "gcd") or "gcd" in query.terms
    assert "and" not in query.terms
    assert query.text == "the product of two numbers and their gcd"
    assert query.identifiers == ()


def test_glue_alone_is_still_a_query():
    assert prepare("and", "nl").terms == ("and",)


def test_formulas_in_english_are_read_out():
    assert "addition" in prepare("why is $a + b$ even", "nl").text


def test_a_statement_is_searched_by_its_conclusion_first():
    query = prepare("theorem t (a b : Int) (h : a ≤ b) : a < b + 1 := by sorry", "formal")
    assert shape("a < b + 1") in query.terms
    assert query.shapes == (shape("a ≤ b", "a < b + 1"),)
    assert query.terms.index("lt") < query.terms.index("int")
    assert query.text.startswith("a < b + 1.")


def test_formal_mode_reads_words_as_words():
    assert prepare("Nat add comm", "formal").text == "Nat add comm"
    assert prepare("use Nat.add_comm", "formal").identifiers == ("Nat.add_comm",)


def test_a_message_is_searched_by_its_identifiers():
    query = prepare("unknown identifier 'Nat.add_com'", "error")
    assert query.identifiers == ("Nat.add_com",)
    assert "unknown" not in query.terms
    goal = prepare("unsolved goals\n⊢ a + b = b + a", "error")
    assert shape("a + b = b + a") in goal.terms
    assert prepare("something failed", "error").identifiers == ()
