from ragsolver_runtime.formats.mathlibmpr import FORMAT
from suites.published import RECORDS


def test_imports_stay_narrow_and_variables_stay():
    record = RECORDS["mathlibmpr.json"]
    assert FORMAT.recognises(record, "a.json")
    made = FORMAT.convert(record, "a.json").fields
    assert made["header"] == (
        "import Mathlib.Data.Finset.Card\n\nopen Finset\n\nnamespace Foo\n\n"
        "variable {α : Type*} {s : Finset α}"
    )
    assert made["formal_statement"] == "theorem two_le (h : s.card = 2) : 2 ≤ s.card"
    assert made["informal_statement"] == "A set with two elements has at least two."
