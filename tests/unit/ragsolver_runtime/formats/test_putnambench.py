import json

from ragsolver_runtime.admission import RawInput, admit
from ragsolver_runtime.formats.putnambench import FORMAT

OPEN = {
    "problem_name": "putnam_1900_b1",
    "informal_statement": "Find the number.",
    "informal_solution": "Show that it is 31.",
    "formal_statement": "open Nat\n\nabbrev putnam_1900_b1_solution : ℕ := sorry\n-- 31\n"
    "/--\nFind the number.\n-/\n"
    "theorem putnam_1900_b1 : IsLeast {n | p n} putnam_1900_b1_solution :=\n  sorry",
    "tags": ["algebra"],
}


def test_an_open_answer_is_refused_without_telling_it():
    assert FORMAT.recognises(OPEN, "putnam.json")
    posted = json.dumps(FORMAT.convert(OPEN, "putnam.json").fields)
    assert "31" not in posted
    refused = admit(RawInput(posted.encode()))
    assert refused.reason == "answer_hole"
    assert "`putnam_1900_b1_solution`" in refused.message


def test_the_variant_with_the_answer_is_just_a_statement():
    given = OPEN["formal_statement"].replace("ℕ := sorry\n-- 31", "ℕ := 31")
    posted = json.dumps(FORMAT.convert(OPEN | {"formal_statement": given}, "p.json").fields)
    problem = admit(RawInput(posted.encode())).problem
    assert problem.header.endswith("abbrev putnam_1900_b1_solution : ℕ := 31")
    assert problem.header.startswith("import Mathlib")


def test_words_alone_have_no_licence():
    record = {"problem_name": "putnam_1900_a2", "informal_statement": "Prove it."}
    made = FORMAT.convert(record | {"informal_solution": "None."}, "putnam.json").fields
    assert made == {
        "name": "putnam_1900_a2",
        "informal_statement": "Prove it.",
        "source": {"dataset": "PutnamBench", "licence": ""},
    }
