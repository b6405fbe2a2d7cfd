import pytest
from pydantic import ValidationError

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.report import CitedEvidence, Proof, SolutionReport
from ragsolver_contracts.retrieval import Citation, RetrievalContext
from ragsolver_contracts.testing import EPOCH


def test_times_have_a_zone() -> None:
    with pytest.raises(ValidationError, match="ended_at"):
        SolutionReport(
            problem_id="p",
            outcome="not_proved",
            message="",
            submitted_at=EPOCH,
            ended_at=EPOCH.replace(tzinfo=None),
        )


def cited(citation_id: str, **locator: str) -> Citation:
    return Citation(
        citation_id=citation_id,
        chunk_id=citation_id,
        corpus="mathlib",
        unit_type="mathlib_decl",
        label=citation_id,
        locator=locator,
        retrieved_for=RetrievalContext(problem_id="p"),
    )


PROOF = Proof(
    source="theorem t : True := trivial",
    declaration="t",
    strategy="llm/1",
    attempt=1,
    candidate=0,
    statement_digest="0",
    toolchain=LeanToolchain(kind="embedded", lean_version="4.28.0"),
)


@pytest.mark.parametrize(
    ("proof", "retrieved", "precision"), [(PROOF, 4, 0.25), (PROOF, 0, None), (None, 4, None)]
)
def test_precision_is_of_what_was_retrieved(proof, retrieved, precision) -> None:
    levels = CitedEvidence(
        used_in_proof=(cited("M1"), cited("L1", found_by="Lean's library search")),
        used_in_sketch=(cited("M2"),),
    )
    report = SolutionReport(
        problem_id="p",
        outcome="solved",
        message="",
        proof=proof,
        citations=levels,
        retrieved=retrieved,
        submitted_at=EPOCH,
        ended_at=EPOCH,
    )
    assert report.used == 1
    assert report.precision == precision
