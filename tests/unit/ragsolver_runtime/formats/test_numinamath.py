from ragsolver_runtime.formats.numinamath import FORMAT
from suites.published import RECORDS


def test_what_is_opened_for_the_theorem_is_in_its_header():
    made = FORMAT.convert(RECORDS["numina.jsonl"], "a.jsonl").fields
    assert made["header"] == "import Mathlib\n\nopen Real"
    assert made["informal_statement"] == "Find the larger one."
    assert made.keys() == {"name", "formal_statement", "header", "informal_statement", "source"}


def test_a_record_with_a_proof_in_its_statement_loses_it():
    record = {"uuid": "u", "formal_statement": "theorem a : 1 = 1 := by rfl", "problem": "null"}
    assert FORMAT.recognises(record, "a.jsonl")
    made = FORMAT.convert(record, "a.jsonl").fields
    assert made["formal_statement"] == "theorem a : 1 = 1"
    assert "informal_statement" not in made
