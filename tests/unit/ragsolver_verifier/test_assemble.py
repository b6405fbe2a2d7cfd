from ragsolver_verifier.assemble import Candidate, assemble, full_source

STATEMENT = "theorem foo : 1 = 1"


def test_our_statement_stands_between_preamble_and_proof():
    text = assemble(STATEMENT, Candidate("by rfl", preamble="def one := 1\n\n"))
    assert text == "def one := 1\n\ntheorem foo : 1 = 1 := by rfl"


def test_a_comment_at_the_statements_end_does_not_swallow_the_proof():
    text = assemble("theorem foo : 1 = 1 -- easy", Candidate("by rfl"))
    assert text.splitlines()[1].strip() == ":= by rfl"


def test_a_whole_text_replaces_everything():
    assert assemble(STATEMENT, Candidate("ignored", whole="axiom a : False")) == "axiom a : False"


def test_an_empty_header_adds_nothing():
    assert full_source("", "theorem") == "theorem"
    assert full_source("import Std\n", "theorem") == "import Std\n\ntheorem"


def test_lines_that_end_as_on_windows_are_read_as_by_lean_itself():
    text = assemble(STATEMENT, Candidate("by\r\n  rfl\r\n", preamble="def one :=\r\n  1\r\n"))
    assert text == "def one :=\n  1\n\ntheorem foo : 1 = 1 := by\n  rfl\n"
    assert "\r" not in assemble(STATEMENT, Candidate(whole="theorem foo : 1 = 1 := by\r\n  rfl"))
