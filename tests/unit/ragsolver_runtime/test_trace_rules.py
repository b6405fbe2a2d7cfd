from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_family import ChildProblem, ProblemDecomposed
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import RunFinished, RunStarted
from ragsolver_contracts.events_work import AttemptAbandoned, AttemptCritiqued
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_runtime.trace_rules import case_breaches, run_breaches
from suites.family_world import NAMES, closed, split
from suites.sample_run import RUN, RunWriter, rejected, sample_run, write_solved

STARTED = RunStarted(config=RunConfig(), config_digest="d", problem_count=2)


def case_of(run: RunWriter, config: RunConfig | None = None) -> Case:
    return Case.fold(RUN, "p", run.events, config)


def test_honest_cases_break_nothing() -> None:
    for problem in ("add_zero_nat", "hard", "real_sum", "dropped"):
        events = [e for e in sample_run() if e.problem_id == problem]
        assert list(case_breaches(Case.fold(RUN, problem, events))) == []


def test_budget_of_attempts_and_calls() -> None:
    run = RunWriter()
    run.submit("p", 1)
    run.plan_and_retrieve("p")
    for attempt in (1, 2):
        run.attempt("p", attempt, rejected("p"))
    for call in (1, 2):
        run.add("p", "generator", LlmReserved(call=call, agent="generator", purpose="sketch"))
    tight = RunConfig(budget=Budget(llm_calls=1, attempts=1))
    found = [b for b in case_breaches(case_of(run, tight)) if b.rule == "budget"]
    assert [b.message for b in found] == [
        "2 LLM calls, the budget is 1",
        "2 attempts, the budget is 1",
    ]
    assert list(case_breaches(case_of(run))) == []


def test_a_missing_number_is_a_gap() -> None:
    run = RunWriter()
    run.submit("p", 1)
    run.plan_and_retrieve("p")
    run.attempt("p", 2, rejected("p"))
    run.add("p", "generator", LlmReserved(call=3, agent="generator", purpose="sketch"))
    messages = [b.message for b in case_breaches(case_of(run))]
    assert messages == ["attempt 1 is missing", "LLM call 1 is missing"]


def test_a_solved_problem_needs_its_accepted_verdict() -> None:
    run = RunWriter()
    write_solved(run, "p", 1)
    accepted = next(e for e in reversed(run.events) if e.name == "verdict_issued")
    run.events.remove(accepted)
    (breach,) = case_breaches(case_of(run))
    assert breach.rule == "proof"
    assert breach.event_id == run.events[-1].id


def test_a_finished_run_has_nothing_open_and_counts_right() -> None:
    finished = RunFinished(outcomes={"solved": 1, "refused": 0})
    solved, refused = Outcome.SOLVED, Outcome.REFUSED
    good = RunFinished(outcomes={"solved": 1, "refused": 1})
    assert list(run_breaches(STARTED, good, {"a": solved, "b": refused})) == []
    assert [b.rule for b in run_breaches(STARTED, finished, {"a": solved, "b": None})] == ["gap"]
    assert [b.rule for b in run_breaches(STARTED, finished, {"a": solved})] == ["count"]
    assert [b.rule for b in run_breaches(STARTED, good, {"a": solved})] == ["count", "count"]
    assert [b.rule for b in run_breaches(None, None, {})] == ["gap"]


def family(*payloads):
    told = split(*payloads)
    return [b.message for b in case_breaches(told.case) if b.rule != "proof"]


def over():
    return AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=Route.RETRY)


def children():
    child = {"formal_statement": "theorem x : True", "declaration": "x"}
    ids = {name: f"add_zero_nat.a1.{name}" for name in NAMES}
    made = tuple(ChildProblem(hole_id=n, problem_id=i, **child) for n, i in ids.items())
    return ProblemDecomposed(attempt=1, children=made)


def test_an_attempt_ends_with_a_hole_that_stays_open_and_not_before():
    said = "attempt 1 was critiqued, but not all its candidates are judged"
    assert said in family(children(), closed("h1"), over())
    assert said not in family(children(), closed("h1", Outcome.NOT_PROVED), over())
    assert said not in family(over())


def test_an_attempt_without_an_answer_has_no_sketch_and_ends_all_the_same():
    ended = AttemptAbandoned(agent="generator", plan=1, attempt=2, message="no answer")
    critiques = [over(), over().model_copy(update={"attempt": 2})]
    assert family(critiques[0], ended, critiques[1]) == []
    assert "attempt 2 has no sketch" in family(*critiques)
