"""Test problems against Lean's own library as it is indexed."""

import pytest

from ragsolver_rag.contamination import compare
from ragsolver_runtime.evaluate.contamination import Probe

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

PROBLEMS = (
    Probe("doubled", "theorem doubled (n : Nat) : n + n = 2 * n := by sorry"),
    Probe(
        "divisor",
        "theorem divisor (k m n : Nat) (hc : Nat.Coprime k n) (hd : k ∣ m * n) : k ∣ m",
    ),
    Probe("own", "", "Something that the library says in its own words."),
    Probe("new", "theorem new (n : Nat) : n ^ 3 % 7 = 0 ∨ n ^ 3 % 7 = 1 ∨ n ^ 3 % 7 = 6"),
)


@pytest.mark.usefixtures("embedded_search")
def test_lemmas_of_the_library_are_found_and_a_new_statement_is_not() -> None:
    found = compare(PROBLEMS, 0.9, {})
    assert found.problems == len(PROBLEMS)
    assert found.skipped == ""
    assert found.corpora[0].startswith("lean4-core")
    reasons = {hit.name: hit.why for hit in found.found}
    assert reasons == {"doubled": "statement", "divisor": "statement"}
    divisor = next(hit for hit in found.found if hit.name == "divisor")
    assert divisor.document == "Nat.Coprime.dvd_of_dvd_mul_right"
