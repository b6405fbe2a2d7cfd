import json

import pytest

from ragsolver_runtime.admission import Admitted, RawInput, admit
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.formats.registry import FORMATS, convert, find_format, format_names
from ragsolver_runtime.problem_files import read_inputs
from suites.published import RECORDS, SECRETS

EXPECTED = {
    "minif2f_v2c.jsonl": ("minif2f-v2c.sum_of_two", "miniF2F-v2c", ""),
    "provers.jsonl": ("half", "", ""),
    "putnam.json": ("putnam_1900_a1", "PutnamBench", "Apache-2.0"),
    "FATE-H.json": ("fate-h.7", "FATE-H", "MIT"),
    "proofnet_sharp.jsonl": ("proofnet-sharp.Book.exercise_1_2", "ProofNet#", "MIT"),
    "proofnet-verified.jsonl": (
        "proofnet-verified.Book_exercise_1_3",
        "ProofNet-Verified",
        "Apache-2.0",
    ),
    "proofnet_lean4.jsonl": ("proofnet-lean4.Book_exercise_1_4", "ProofNet-lean4", "MIT"),
    "numina.jsonl": ("numinamath-lean.0f8b-77", "NuminaMath-LEAN", "Apache-2.0"),
    "mathlibmpr.json": ("mathlibmpr_900", "MathlibMPR", "Apache-2.0"),
}


@pytest.fixture(params=RECORDS)
def published(request, tmp_path):
    path = tmp_path / request.param
    text = json.dumps(RECORDS[request.param], ensure_ascii=False)
    path.write_text(f"[\n{text}\n]" if path.suffix == ".json" else text, encoding="utf-8")
    return path


def test_neither_answer_nor_proof_is_posted(published):
    held = published.read_text(encoding="utf-8")
    assert published.name == "FATE-H.json" or any(secret in held for secret in SECRETS)
    (found,) = read_inputs(published)
    for run in (None, "r1"):
        message = found.message(run).decode()
        assert not [secret for secret in SECRETS if secret in message]


def test_every_layout_becomes_a_canonical_problem(published):
    (found,) = read_inputs(published)
    decided = admit(RawInput(found.message("r1"), "r1"))
    assert isinstance(decided, Admitted)
    problem = decided.problem
    source = problem.source
    assert (problem.name, source.dataset, source.licence) == EXPECTED[published.name]
    assert (source.file, source.line) == (published.name, found.line)
    assert problem.formal_statement is not None
    assert problem.formal_statement.startswith("theorem ")
    assert not problem.formal_statement.endswith((":=", "by", "sorry"))
    assert problem.declaration
    assert problem.informal_statement
    assert problem.header.startswith("import Mathlib")
    assert "/-" not in problem.header + problem.formal_statement


def test_the_split_is_kept(published):
    (found,) = read_inputs(published)
    assert found.fields is not None
    assert found.fields.get("split", "") == RECORDS[published.name].get("split", "")


def test_a_forced_layout_is_not_guessed():
    record = {"name": "a", "formal_statement": "theorem a : 1 = 1 := by"}
    assert convert(record, "minif2f.jsonl").fields == record
    forced = convert(record, "some.jsonl", find_format("minif2f")).fields
    assert (forced["name"], forced["source"]["dataset"]) == ("minif2f.a", "miniF2F")
    assert forced["formal_statement"] == "theorem a : 1 = 1"


def test_a_record_of_no_known_layout_goes_on_to_be_refused():
    record = {"title": "a", "text": "What is it?"}
    made = convert(record, "a.jsonl")
    assert made.fields == record
    assert admit(RawInput(json.dumps(made.fields).encode())).reason == "schema"


@pytest.mark.parametrize("name", [f.name for f in FORMATS if f.name not in ("plain", "provers")])
def test_a_forced_layout_hands_on_nothing_of_a_foreign_record(name):
    made = convert({"title": "a", "solution": "b"}, "a.jsonl", find_format(name))
    assert made.fields.keys() <= {"source"}


def test_every_format_has_one_name():
    assert len(set(format_names())) == len(FORMATS) + 1
    assert find_format("auto") is None


def test_an_unknown_format_is_named_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"'fat'.*fate"):
        find_format("fat")
