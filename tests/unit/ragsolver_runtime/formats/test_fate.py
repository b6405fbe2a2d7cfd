import pytest

from ragsolver_runtime.formats.fate import FORMAT

STATEMENT = "import Mathlib\n\n/--\nWords.\n-/\ntheorem foo : p := by"


@pytest.mark.parametrize("ending", ["", "\n  sorry", "\n  sorry\n\nend Problem1"])
def test_every_ending_is_taken_off(ending):
    record = {"id": 1, "formal_statement": STATEMENT + ending, "source": "FATE-M"}
    assert FORMAT.recognises(record, "a.json")
    made = FORMAT.convert(record, "a.json").fields
    assert made == {
        "name": "fate-m.1",
        "formal_statement": "theorem foo : p",
        "header": "import Mathlib",
        "informal_statement": "Words.",
        "source": {"dataset": "FATE-M", "licence": "MIT"},
    }


def test_the_letter_may_stand_in_the_file_name():
    record = {"id": 1, "formal_statement": STATEMENT}
    assert FORMAT.convert(record, "FATE-X.json").fields["name"] == "fate-x.1"
    assert FORMAT.convert(record, "some.json").fields["name"] == "fate.1"


@pytest.mark.parametrize("source", [None, "Fate", 3, {"dataset": "FATE-M"}])
def test_another_source_is_another_dataset(source):
    record = {"id": 1, "formal_statement": STATEMENT, "source": source}
    assert not FORMAT.recognises(record, "a.json")
