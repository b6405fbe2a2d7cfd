from ragsolver_runtime.formats.proofnet import FORMAT
from suites.published import RECORDS


def test_books_stand_in_the_names_because_exercises_repeat():
    record = RECORDS["proofnet_sharp.jsonl"]
    assert FORMAT.recognises(record, "a.jsonl")
    other = record | {"id": "Other|exercise_1_2"}
    names = [FORMAT.convert(r, "a.jsonl").fields["name"] for r in (record, other)]
    assert names == ["proofnet-sharp.Book.exercise_1_2", "proofnet-sharp.Other.exercise_1_2"]


def test_definitions_beside_a_statement_go_into_its_header():
    made = FORMAT.convert(RECORDS["proofnet-verified.jsonl"], "a.jsonl").fields
    assert made["header"] == ("import Mathlib\n\nopen Function\n\ndef twice (n : ℕ) := n + n")
    assert made["formal_statement"] == "theorem Book_exercise_1_3 (n : ℕ) : Even (twice n)"


def test_the_audited_one_is_told_by_its_file():
    record = RECORDS["proofnet-verified.jsonl"]
    titles = [
        FORMAT.convert(record, file).fields["source"]["dataset"]
        for file in ("proofnet-verified.jsonl", "proofnet-4.28.jsonl")
    ]
    assert titles == ["ProofNet-Verified", "ProofNet"]


def test_words_end_where_their_proof_begins():
    made = FORMAT.convert(RECORDS["proofnet_lean4.jsonl"], "a.jsonl").fields
    assert made["informal_statement"] == "One is odd."


def test_other_records_are_not_of_this_layout():
    assert not FORMAT.recognises(RECORDS["minif2f_v2c.jsonl"], "a.jsonl")
    assert not FORMAT.recognises({"informal_stmt": "", "formal_statement": ""}, "a.jsonl")
