"""The report holds what the fold says, citations by their strongest level."""

from datetime import timedelta

from ragsolver_agents.critic.report import attempt_verdicts, cite, report
from ragsolver_contracts.case import Case
from ragsolver_contracts.lean import Diagnostic, Position
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import PortfolioConfig, PortfolioStage, RunConfig
from ragsolver_contracts.testing import problem
from suites.deciding_world import World, accepted, checked, rejected, view

STAGES = (
    PortfolioStage(name="close", families=("close",)),
    PortfolioStage(name="lemmas", families=("lemmas",)),
)
FOUND = [("Nat.one", ""), ("Nat.two", ""), *((f"Nat.more{n}", "") for n in range(9))]


def solved() -> Case:
    def judge(candidate):
        if candidate.attempt == 2:
            return accepted("Nat.one", "Nat.other")
        return rejected("unsolved goals\n")

    config = RunConfig(portfolio=PortfolioConfig(stages=STAGES))
    statement = checked(view("n = n", ("n", "Nat")))
    return World(problem(), statement, judge, lambda _: FOUND, config).play()


def test_a_citation_stands_in_its_strongest_level_only():
    case = solved()
    levels = cite(case, case.accepted)
    assert [c.label for c in levels.used_in_proof] == ["Nat.one"]
    assert levels.used_in_proof[0].used_in_proof
    assert levels.used_in_proof[0].used_in_sketch
    sketched = [c.label for c in levels.used_in_sketch]
    assert sketched == ["Nat.two", *(f"Nat.more{n}" for n in range(4))]
    assert levels.consulted == ()


def test_what_other_attempts_sketched_was_consulted():
    case = solved()
    elsewhere = case.accepted.model_copy(update={"attempt": 1})
    levels = cite(case, elsewhere)
    assert levels.used_in_sketch == ()
    assert "Nat.two" in {citation.label for citation in levels.consulted}


def test_what_was_never_shown_is_cited_in_no_level():
    case = solved()
    levels = cite(case, case.accepted)
    every = (*levels.used_in_proof, *levels.used_in_sketch, *levels.consulted)
    assert "Nat.more8" not in {citation.label for citation in every}


def told(text):
    return Diagnostic(severity="info", text=text, start=Position(line=1, column=0))


def test_what_leans_search_found_is_cited_when_the_proof_uses_it():
    case = solved()
    says = (told("Try this:\n  [apply] exact Nat.other (Nat.one n) x"),)
    verdict = case.accepted.verdict.model_copy(update={"diagnostics": says})
    levels = cite(case, case.accepted.model_copy(update={"verdict": verdict}))
    assert [c.label for c in levels.used_in_proof] == ["Nat.one", "Nat.other"]
    found = levels.used_in_proof[1]
    assert (found.citation_id, found.locator["decl_name"]) == ("L1", "Nat.other")
    assert found.used_in_proof


def test_what_leans_search_told_in_vain_is_not_cited():
    case = solved()
    says = (told("Try this:\n  [apply] exact Nat.unused x"),)
    verdict = case.accepted.verdict.model_copy(update={"diagnostics": says})
    levels = cite(case, case.accepted.model_copy(update={"verdict": verdict}))
    assert [c.label for c in levels.used_in_proof] == ["Nat.one"]


def test_without_a_proof_nothing_is_used_in_it():
    assert cite(solved(), None).used_in_proof == ()


def test_names_in_the_proofs_text_count():
    case = solved()
    verdict = case.accepted.verdict.model_copy(
        update={"constants": (), "named_in_proof": ("Nat.two",)}
    )
    named = case.accepted.model_copy(update={"verdict": verdict})
    assert [c.label for c in cite(case, named).used_in_proof] == ["Nat.two"]


def test_attempts_times_and_counts():
    case = solved()
    last = max(case.events.values(), key=lambda item: item.time)
    made = report(case, Outcome.SOLVED, "done", last)
    assert [(a.stage, a.candidates, a.judged, a.outcome) for a in made.attempts] == [
        ("close", 6, 6, "unsolved_goals"),
        ("lemmas", 8, 1, "accepted"),
    ]
    assert made.lean_ms == 6 * 2.0 + 5.0
    assert made.candidates == 14
    assert made.ended_at == last.time
    assert made.ended_at - made.submitted_at == timedelta(seconds=len(case.events) - 1)
    assert made.proof.constants == ("Nat.one", "Nat.other")


def test_a_failed_problem_carries_no_proof():
    case = solved()
    last = max(case.events.values(), key=lambda item: item.time)
    assert report(case, Outcome.NOT_PROVED, "no", last).proof is None


def test_verdicts_of_one_attempt():
    assert len(attempt_verdicts(solved(), 1)) == 6
