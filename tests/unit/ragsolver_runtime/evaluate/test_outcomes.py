from pathlib import Path

import pytest

from ragsolver_contracts.critique import Route
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_work import EvidenceRetrieved, ProblemSolved
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.report import CitedEvidence, Outcome
from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest, RetrievalResult
from ragsolver_contracts.testing import EPOCH
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.evaluate.outcomes import read_runs
from suites.asking_world import call_events
from suites.evaluated import trace_of
from suites.sample_run import RunWriter, accepted, citation, rejected, sample_run, solution


def test_a_run_is_read_problem_by_problem(tmp_path: Path) -> None:
    (run,) = read_runs([trace_of(tmp_path / "t.jsonl", sample_run())])
    assert run.started_at == EPOCH
    by_name = {p.name: p for p in run.problems}
    solved = by_name["add_zero_nat"]
    assert (solved.outcome, solved.proved, solved.strategy) == ("solved", True, "simp")
    assert (solved.retrieved, solved.used, solved.named) == (2, 1, 0)
    assert (solved.candidates, solved.verdicts) == (2, 2)
    assert solved.errors == {"unclassified": 1}
    assert solved.lean_s == 0.05
    assert solved.wall_s is not None
    assert solved.wall_s > 0
    assert by_name["hard"].outcome == "not_proved"
    assert not by_name["real_sum"].counted
    assert by_name["dropped"].outcome == "cancelled"


def test_an_open_problem_is_no_sample(tmp_path: Path) -> None:
    (run,) = read_runs([trace_of(tmp_path / "t.jsonl", sample_run(finished=False))])
    (left,) = [p for p in run.problems if p.name == "dropped"]
    assert (left.outcome, left.counted, left.wall_s) == ("open", False, None)


def test_the_same_run_twice_counts_once(tmp_path: Path) -> None:
    path = trace_of(tmp_path / "t.jsonl", sample_run())
    assert len(read_runs([path, path])) == 1


def test_what_is_no_trace_or_has_no_beginning_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match="line 1"):
        read_runs([tmp_path / "x.jsonl"])
    headless = [e for e in sample_run() if e.name != "run_started"]
    with pytest.raises(ConfigError, match="no run_started"):
        read_runs([trace_of(tmp_path / "h.jsonl", headless)])


def looked_up_again() -> RunWriter:
    """A proof that rests on a lemma found after an error, on one found at once, and on Lean's."""
    run = RunWriter()
    run.start(1)
    run.submit("p", 1)
    run.plan_and_retrieve("p")
    run.attempt("p", 1, rejected("p"))
    run.critique("p", 1, Route.RE_RETRIEVE)
    later = citation("p", 1).model_copy(update={"citation_id": "M3", "chunk_id": "core:late:0"})
    asked = RetrievalRequest(queries=("late",), context=RetrievalContext(problem_id="p"))
    found = RetrievalResult(citations=[later, citation("p", 2)])
    again = EvidenceRetrieved(plan=1, subgoal_id="s1", attempt=1, request=asked, result=found)
    run.add("p", "retriever", again)
    run.attempt("p", 2, accepted("p"))
    of_lean = citation("p", 1).model_copy(update={"citation_id": "L1", "chunk_id": "lean:Nat.x"})
    cited = CitedEvidence(used_in_proof=(citation("p", 1), later, of_lean))
    report = solution("p", Outcome.SOLVED, "done", 2).model_copy(update={"citations": cited})
    run.add("p", "critic", ProblemSolved(report=report))
    return run


def test_what_was_retrieved_counts_as_used_and_what_lean_found_itself_does_not(
    tmp_path: Path,
) -> None:
    (run,) = read_runs([trace_of(tmp_path / "t.jsonl", looked_up_again().events)])
    (found,) = run.problems
    assert (found.retrieved, found.used, found.used_from_re_retrieval) == (3, 2, 1)
    assert found.re_retrievals == 1


def test_calls_of_a_language_model_are_summed(tmp_path: Path) -> None:
    writer = looked_up_again()
    for call in (1, 2):
        said = LlmCalled(
            call=call,
            agent="planner",
            purpose="plan",
            prompt_id="p",
            prompt_hash="0",
            model="m",
            request_hash="0",
            response="",
            stop_reason="end",
            input_tokens=10,
            output_tokens=3,
            cost_usd=0.5,
        )
        writer.add("p", "planner", said)
    (run,) = read_runs([trace_of(tmp_path / "t.jsonl", writer.events)])
    (found,) = run.problems
    assert (found.llm_calls, found.input_tokens, found.output_tokens) == (2, 20, 6)
    assert found.cost_usd == 1.0


def test_what_child_problems_spend_is_the_expense_of_the_posted_one(tmp_path: Path) -> None:
    run = RunWriter()
    run.start(1)
    run.submit("p", 1)
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("p",), llm_calls=2)
    run.submit("p.a1.h1", 1, parent=parent)
    calls = call_events(run.events[-1], "p.a1.h1", run.run_id)
    (found,) = read_runs([trace_of(tmp_path / "t.jsonl", [*run.events, *calls])])
    (one,) = found.problems
    assert (one.name, one.input_tokens, one.output_tokens) == ("p", 7, 3)
    assert (one.lost_calls, one.cost_usd) == (1, 0.25)
