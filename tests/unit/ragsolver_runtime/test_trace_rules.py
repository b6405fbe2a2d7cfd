from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import RunFinished, RunStarted
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_runtime.trace_rules import case_breaches, run_breaches
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
