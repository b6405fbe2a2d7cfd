import json

import pytest

from ragsolver_runtime.formats.plain import FORMAT, tidied


@pytest.mark.parametrize(
    "record",
    [
        {"name": "a", "formal_statement": "theorem a : 1 = 1 := by sorry -- easy"},
        {"name": "a", "formal_statement": "/-- Doc. -/\nlemma a : p := by", "header": "open Nat"},
        {"name": "a", "informal_statement": "Words.", "hints": ["b"], "run_id": "r1"},
        {"informal_statement": "nameless"},
        {"name": 3, "formal_statement": 4, "header": 5},
    ],
)
def test_records_go_on_as_they_are(record):
    assert FORMAT.recognises(record, "any.jsonl")
    assert json.dumps(FORMAT.convert(record, "any.jsonl").fields) == json.dumps(record)


def test_another_field_is_another_layout():
    assert not FORMAT.recognises({"name": "a", "informal_proof": ""}, "any.jsonl")


def test_a_statement_that_brings_its_imports_is_parted_from_them():
    text = "import Mathlib\n\nopen Nat\n\n/-- Words. -/\ntheorem a : 1 = 1 := by sorry"
    assert tidied({"name": "b", "formal_statement": text}) == {
        "name": "b",
        "header": "import Mathlib\n\nopen Nat",
        "formal_statement": "theorem a : 1 = 1",
        "informal_statement": "Words.",
    }


def test_a_comment_beside_an_open_definition_does_not_go_on():
    """In PutnamBench, the comment after the open definition is the answer."""
    hole = "import Mathlib\nabbrev s : ℕ := sorry\n-- 31"
    statement = "theorem a : f s"
    for record in (
        {"name": "a", "header": hole, "formal_statement": statement},
        {"name": "a", "formal_statement": f"{hole}\n{statement}"},
    ):
        made = tidied(record)
        assert made["header"] == "import Mathlib\nabbrev s : ℕ := sorry"
        assert made["formal_statement"] == statement
