"""What prompts show stands in one line each, cut, and is only what is there."""

from ragsolver_agents.llm import shown
from ragsolver_contracts.events_work import CandidateProposed, ProofSketched, VerdictIssued
from suites.deciding_world import rejected
from suites.makers_world import FOUND, PLANNED, RETRY, case_of, stated


def test_a_lemma_cannot_add_another_one():
    case, _ = stated(PLANNED, FOUND)
    lines = shown.lemma_lines(case)
    assert set(lines) == {"M1", "M2"}
    assert lines["M1"] == "[M1] Nat.add_zero : n + 0 = n (Init)"
    assert not any("\n" in line for line in lines.values())


def test_a_passage_is_shown_with_its_idea_and_source():
    case, _ = stated(PLANNED, FOUND)
    hit = FOUND.result.hits[0]
    informal = hit.model_copy(
        update={
            "corpus": "informal",
            "citation": hit.citation.model_copy(update={"citation_id": "I1"}),
            "metadata": {"statement": "All.", "key_idea": "Split\nit", "source": "A book"},
        }
    )
    found = FOUND.model_copy(
        update={"result": FOUND.result.model_copy(update={"hits": [informal]})}
    )
    case, _ = stated(PLANNED, found)
    assert shown.passage_lines(case) == {"I1": "[I1] All. — Split it — A book"}
    assert shown.lemma_lines(case) == {}


def test_history_tells_what_lean_said():
    sketch = ProofSketched(attempt=1, plan=1, text="By magic.", engine="llm")
    candidate = CandidateProposed(
        attempt=1,
        candidate=0,
        batch=0,
        closes_batch=True,
        closes_attempt=True,
        text={"proof": "by magic"},
        strategy="llm/1",
    )
    verdict = VerdictIssued(attempt=1, candidate=0, verdict=rejected("unknown tactic"))
    case, _ = stated(PLANNED, FOUND, sketch, candidate, verdict, RETRY)
    told = shown.history(case)
    for part in ("By magic.", "by magic", "unknown tactic", "Critique (other): try"):
        assert part in told


def test_nothing_is_said_to_be_nothing():
    case, _ = stated()
    assert shown.history(case) == shown.plan(case) == shown.listed([]) == shown.NONE
    assert "without Mathlib" in shown.toolchain(case)
    assert "⊢ n + 0 = n" in shown.statement(case)
    empty, _ = case_of(PLANNED)
    assert shown.words(empty) == shown.NONE
