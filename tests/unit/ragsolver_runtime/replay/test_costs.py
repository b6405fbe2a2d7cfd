from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.run_config import RetrievalConfig, RunConfig
from ragsolver_contracts.testing import event
from ragsolver_runtime.replay.costs import Cost, Spent, spent_on
from suites.sample_run import RUN, sample_run

EVENTS = [e for e in sample_run() if e.problem_id == "hard"]


def test_live_work_is_counted() -> None:
    live = spent_on(Case.fold(RUN, "hard", EVENTS)).live
    verdicts = [e.data.verdict for e in EVENTS if e.name == "verdict_issued"]
    assert live.lean_checks == len(verdicts) + 1
    assert live.lean_s == sum(v.elapsed_ms for v in verdicts) / 1000
    assert live.retrievals == 1
    assert live.llm_calls == 0


def test_what_is_used_again_costs_nothing() -> None:
    again = [e.model_copy(update={"recordedfrom": "r0/x"}) for e in EVENTS]
    spent = spent_on(Case.fold(RUN, "hard", again))
    assert spent.live.nothing
    assert spent.reused == spent_on(Case.fold(RUN, "hard", EVENTS)).live


def test_calls_count_tokens_and_money() -> None:
    call = LlmCalled(
        call=1,
        agent="planner",
        purpose="plan",
        prompt_id="p",
        prompt_hash="h",
        model="m",
        request_hash="r",
        response="x",
        stop_reason="end_turn",
        input_tokens=3,
        output_tokens=4,
        cost_usd=0.5,
    )
    live = spent_on(Case.fold("r1", "p", [event(call, problem_id="p")])).live
    assert live == Cost(llm_calls=1, llm_tokens=7, llm_usd=0.5)


def test_a_retrieval_that_is_switched_off_is_none() -> None:
    config = RunConfig(retrieval=RetrievalConfig(enabled=False))
    assert spent_on(Case.fold(RUN, "hard", EVENTS, config)).live.retrievals == 0


def test_costs_add_up() -> None:
    one = Spent(live=Cost(lean_checks=1, lean_s=0.5), reused=Cost(retrievals=2))
    assert one + one == Spent(live=Cost(lean_checks=2, lean_s=1.0), reused=Cost(retrievals=4))
