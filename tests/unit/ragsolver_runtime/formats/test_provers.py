import pytest

from ragsolver_runtime.formats.provers import MINIF2F, PROVERS

RECORD = {
    "id": "old_id",
    "name": "amc_1",
    "split": "test",
    "formal_statement": "theorem amc_1 : 1 = 1 := by",
    "header": "import Mathlib",
    "informal_stmt": "One is one.",
    "informal_proof": "It is.",
}


@pytest.mark.parametrize(
    ("file", "name", "dataset"),
    [
        ("miniF2F_v2s.json", "minif2f-v2s.amc_1", "miniF2F-v2s"),
        ("minif2f-v2c.jsonl", "minif2f-v2c.amc_1", "miniF2F-v2c"),
        ("minif2f.jsonl", "minif2f.amc_1", "miniF2F"),
    ],
)
def test_the_version_of_minif2f_is_told_by_the_file(file, name, dataset):
    assert MINIF2F.recognises(RECORD, file)
    made = MINIF2F.convert(RECORD, file)
    assert (made.fields["name"], made.fields["source"]["dataset"]) == (name, dataset)
    assert made.own_name == "amc_1"


def test_elsewhere_the_dataset_is_not_known():
    assert not MINIF2F.recognises(RECORD, "set.jsonl")
    assert PROVERS.recognises(RECORD, "set.jsonl")
    made = PROVERS.convert(RECORD, "set.jsonl").fields
    assert made == {
        "name": "amc_1",
        "split": "test",
        "formal_statement": "theorem amc_1 : 1 = 1",
        "header": "import Mathlib",
        "informal_statement": "One is one.",
    }


def test_an_unknown_field_is_not_guessed_at():
    assert not PROVERS.recognises(RECORD | {"surprise": 1}, "set.jsonl")


@pytest.mark.parametrize("key", ["informal_prefix", "natural_language_statement"])
def test_words_have_several_names(key):
    record = {"id": "a", "formal_statement": "theorem a : p", key: "/-- Words. -/"}
    assert PROVERS.convert(record, "set.jsonl").fields["informal_statement"] == "Words."


def test_an_answer_that_is_left_open_stays_open():
    formal = "abbrev a_solution : Set ℝ := sorry\n\ntheorem a (x : ℝ) : x ∈ a_solution := by"
    made = MINIF2F.convert(RECORD | {"formal_statement": formal}, "miniF2F_v2c.json").fields
    assert made["header"] == "import Mathlib\n\nabbrev a_solution : Set ℝ := sorry"
    assert made["formal_statement"] == "theorem a (x : ℝ) : x ∈ a_solution"
