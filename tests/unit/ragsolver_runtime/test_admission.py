import json

import pytest

from ragsolver_contracts.problem import RefusalReason
from ragsolver_runtime.admission import INBOX, Admitted, RawInput, Refusal, admit


def raw(header_run=None, header_line=None, /, **fields):
    values = {"name": "a", "formal_statement": "theorem a : 1 = 1"} | fields
    return RawInput(json.dumps(values).encode(), header_run, header_line)


@pytest.mark.parametrize(
    "ending",
    [
        "",
        " := by sorry",
        " := sorry",
        ":=by\n  sorry\n",
        " :=",
        " := by",
        "\n:= by\n",
        " := sorry -- it is",
    ],
)
def test_the_missing_proof_is_taken_off_the_statement(ending):
    admitted = admit(raw(formal_statement=f"theorem a (h : x = y) : y = x{ending}"))
    assert admitted.problem.formal_statement == "theorem a (h : x = y) : y = x"
    assert admitted.problem.declaration == "a"


@pytest.mark.parametrize(
    ("statement", "kept", "declaration"),
    [
        ("lemma a : p := by sorry", "theorem a : p", "a"),
        ("theorem Foo.bar{n : Nat} : p", "theorem Foo.bar{n : Nat} : p", "Foo.bar"),
        ("example : p := by sorry", "example : p", None),
        ("theorem a : p := by simp", "theorem a : p := by simp", "a"),
        ("theorem a : by sorry_free = p", "theorem a : by sorry_free = p", "a"),
    ],
)
def test_the_statement_is_otherwise_left_as_it_is(statement, kept, declaration):
    problem = admit(raw(formal_statement=statement)).problem
    assert (problem.formal_statement, problem.declaration) == (kept, declaration)


def test_words_alone_are_a_problem():
    admitted = admit(raw(formal_statement=None, informal_statement="One is one."))
    assert isinstance(admitted, Admitted)
    assert admitted.problem.formal_statement is None
    assert admitted.problem.declaration is None


@pytest.mark.parametrize("empty", [None, "", " \n", "None.", "null"])
def test_nothing_asked_is_refused(empty):
    refused = admit(raw(formal_statement=empty, informal_statement=empty))
    assert refused.reason is RefusalReason.NO_STATEMENT
    assert refused.name == "a"


@pytest.mark.parametrize(
    ("header", "statement", "named"),
    [
        ("abbrev s : ℕ := sorry", "theorem a : f s := by sorry", "`s`"),
        ("", "abbrev s : ℕ := sorry\n-- 31\n\ntheorem a : f s := by", "`s`"),
        ("", "theorem a : f (sorry : ℕ) := sorry", "a term in the statement"),
    ],
)
def test_an_answer_that_is_not_given_is_refused(header, statement, named):
    refused = admit(raw(header=header, formal_statement=statement, source={"line": 5}))
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.line) == (RefusalReason.ANSWER_HOLE, 5)
    assert refused.message.startswith(f"{named} is left open")
    assert "write the answer there" in refused.message


def test_an_open_lemma_before_the_statement_is_no_answer():
    admitted = admit(raw(header="theorem h : p := sorry"))
    assert isinstance(admitted, Admitted)


@pytest.mark.parametrize(
    ("content", "reason", "words"),
    [
        (b"\xff\xfe{}", RefusalReason.NOT_UTF8, "byte 0"),
        (b'{"name": "a"', RefusalReason.BAD_JSON, '{"name"'),
        (b"", RefusalReason.BAD_JSON, "not a JSON object"),
        (b"[" * 100_000, RefusalReason.BAD_JSON, "not a JSON object"),
        (b"[1]", RefusalReason.SCHEMA, "object"),
        (b'{"name": "\\ud800"}', RefusalReason.BAD_JSON, "hex escape"),
        (b'{"name": 1e999}', RefusalReason.SCHEMA, "/name"),
        (b'{"name": "a", "lemma": 1}', RefusalReason.SCHEMA, "/lemma"),
        (b'{"formal_statement": "x"}', RefusalReason.SCHEMA, "/name"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason_and_place(content, reason, words):
    refused = admit(RawInput(content, "r1", 7))
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.run_id, refused.line) == (reason, "r1", 7)
    assert words in refused.message


def test_a_refusal_can_always_be_written():
    """A name with half a surrogate pair is valid JSON text and no valid UTF-8."""
    content = json.dumps({"name": "x\ud800", "other": 1})
    refused = admit(RawInput(content.encode()))
    assert refused.name.encode() in (b"", b"x?")


def test_a_broken_input_is_refused_in_the_run_and_line_that_it_names():
    refused = admit(raw("r1", 1, run_id="r2", source={"line": 9}, split=7))
    assert (refused.run_id, refused.line, refused.pointer) == ("r2", 9, "/split")


@pytest.mark.parametrize(
    ("named", "header", "expected"),
    [("r2", "r1", "r2"), (None, "r1", "r1"), (None, None, INBOX), (None, "no good", INBOX)],
)
def test_the_run_is_the_inputs_then_the_posters_then_the_inbox(named, header, expected):
    assert admit(raw(header, run_id=named)).run_id == expected


def test_the_posters_line_is_kept_unless_the_input_has_its_own():
    assert admit(raw(None, 4)).problem.source.line == 4
    assert admit(raw(None, 4, source={"line": 9})).problem.source.line == 9


def test_the_same_bytes_for_the_same_run_are_the_same_input():
    assert raw().key == raw(None, 3).key
    assert raw().key != raw("r1").key
    assert raw().key != raw(name="b").key
    assert admit(raw()).problem.input_digest == raw().key


def test_nobody_posts_a_child_of_another_problem():
    refused = admit(raw(name="p.a1.h2"))
    assert (refused.reason, refused.pointer) == (RefusalReason.SCHEMA, "/name")
    assert admit(raw(name="p.a1.h2.x")).problem.parent is None
    claimed = admit(
        raw(parent={"problem_id": "p", "attempt": 1, "hole_id": "h1", "ancestors": ["p"]})
    )
    assert isinstance(claimed, Refusal) or claimed.problem.parent is None
