import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.web.problem_page import problem_page
from suites.traces import GOLDEN
from suites.web_world import golden_case, sample_case


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDEN.glob("*.jsonl")))
def test_every_prefix_of_a_history_has_a_page(name: str) -> None:
    whole, events = golden_case(name)
    for length in range(1, len(events) + 1):
        case = Case.fold(whole.run_id, whole.problem_id, events[:length])
        page = problem_page(case, events[:length], (), length)
        assert page.seq == length
        assert page.model_dump_json()


def test_a_proof_with_its_citations() -> None:
    case, events = sample_case("add_zero_nat")
    page = problem_page(case, events, (), 1)
    assert page.proof is not None
    assert "".join(piece.text for piece in page.proof.pieces) == page.proof.source
    assert [piece.text for piece in page.proof.pieces if piece.cited] == ["Nat.add_zero"]
    assert [one.level for one in page.cited] == ["used_in_proof", "consulted"]
    assert page.entry.report is None


def test_a_refutation() -> None:
    case, events = golden_case("false_statement")
    page = problem_page(case, events, (), 1)
    assert page.entry.outcome is Outcome.STATEMENT_FALSE
    assert page.proof is not None
    assert page.proof.negated


def test_a_problem_without_a_proof() -> None:
    case, events = sample_case("hard")
    page = problem_page(case, events, (), 1)
    assert page.proof is None
    assert page.budget == 20
    assert page.calls == ()
