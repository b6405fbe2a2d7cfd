import pytest

from ragsolver_contracts.lean import Position
from ragsolver_verifier.assemble import Candidate, assemble, full_source

STATEMENT = "theorem foo : 1 = 1"


def text_of(statement, candidate):
    return assemble(statement, candidate).text


def test_our_statement_stands_between_preamble_and_proof():
    text = text_of(STATEMENT, Candidate("by rfl", preamble="def one := 1\n\n"))
    assert text == "def one := 1\n\ntheorem foo : 1 = 1 := by rfl"


def test_a_comment_at_the_statements_end_does_not_swallow_the_proof():
    text = text_of("theorem foo : 1 = 1 -- easy", Candidate("by rfl"))
    assert text.splitlines()[1].strip() == ":= by rfl"


def test_a_whole_text_replaces_everything():
    assert text_of(STATEMENT, Candidate("ignored", whole="axiom a : False")) == "axiom a : False"


def test_an_empty_header_adds_nothing():
    assert full_source("", "theorem") == "theorem"
    assert full_source("import Std\n", "theorem") == "import Std\n\ntheorem"


def test_texts_are_read_as_lean_reads_a_file():
    text = text_of(
        STATEMENT, Candidate("\ufeffby\r\n  rfl\r\n", preamble="\ufeffdef one :=\r\n  1\r\n")
    )
    assert text == "def one :=\n  1\n\ntheorem foo : 1 = 1 := by\n  rfl\n"
    whole = text_of(STATEMENT, Candidate(whole="\ufefftheorem foo : 1 = 1 := by\r\n  rfl"))
    assert whole == "theorem foo : 1 = 1 := by\n  rfl"


def places(assembled, needle):
    at = assembled.text.index(needle)
    line = assembled.text.count("\n", 0, at) + 1
    column = at - (assembled.text.rfind("\n", 0, at) + 1)
    part, own = assembled.own(Position(line=line, column=column))
    return part, own.line, own.column


@pytest.mark.parametrize(
    ("needle", "place"),
    [
        ("def one", ("preamble", 1, 0)),
        ("HELP", ("preamble", 2, 5)),
        ("theorem", ("statement", 1, 0)),
        ("n = n", ("statement", 2, 2)),
        (":= by", ("statement", 2, 8)),
        ("by skip", ("proof", 1, 0)),
        ("skip", ("proof", 1, 3)),
        ("LAST", ("proof", 2, 5)),
    ],
)
def test_a_position_is_counted_in_the_part_that_it_is_in(needle, place):
    statement = "theorem foo (n : ℕ) :\n  n = n"
    proof = "by skip\r\n  ∀ℕ LAST"
    preamble = "\ufeffdef one := 1\r\n𝔽 ∀ℕ HELP\n\n\n"
    assert places(assemble(statement, Candidate(proof, preamble)), needle) == place


def test_a_whole_text_is_its_own():
    whole = assemble(STATEMENT, Candidate(whole="\n\ntheorem bar"))
    assert places(whole, "bar") == ("whole", 3, 8)
    assert whole.own(Position(line=0, column=0))[0] == "whole"
