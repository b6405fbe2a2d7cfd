"""Whatever a model says and whatever fails, the loop ends within its budget, with a report."""

from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, Engines, LlmConfig, RunConfig
from suites.deciding_world import accepted, rejected
from suites.loop_world import ALL, Loop

PLAN = {"subgoals": [{"statement_nl": "all of it", "search_queries": ["zero", "add"]}]}
SKETCH = {"text": "Add nothing.", "used_citations": ["M1"]}
NUMBERS = count()
STATEMENT = {"formal_statement": "theorem t (n : Nat) : n + 0 = n"}
NO = rejected("unsolved goals\n⊢ n + 0 = n")
UNKNOWN = rejected("Unknown constant `Nat.foo`")

routes = st.sampled_from(list(Route))
failures = st.sampled_from(list(LlmOutcome)[1:])
engines = st.builds(
    Engines,
    planner=st.sampled_from(["portfolio", "llm"]),
    generator=st.just("llm"),
    formalizer=st.just("llm"),
    critic=st.sampled_from(["portfolio", "llm"]),
)


def critique(route: Route = Route.RETRY, **changes) -> dict:
    return {"error_class": "other", "advice": "Otherwise.", "route": route, **changes}


def answer(purpose: str, route: Route = Route.RETRY, *, yes: bool = True) -> dict:
    name = f"x{next(NUMBERS)}"  # what was tried before is not tried again
    said = {
        "plan": PLAN,
        "sketch": SKETCH,
        "candidates": {"candidates": [{"proof": f"by exact {n}"} for n in (name, f"({name})")]},
        "statement": STATEMENT,
        "critique": critique(route),
        "fidelity": {"faithful": yes, "reason": "So it reads."},
    }
    return said[purpose]


def config(calls: int = 20, engine: Engines = ALL, **changes) -> RunConfig:
    llm = LlmConfig(**{"attempts": 20, "depth": 0, **changes})
    return RunConfig(engines=engine, budget=Budget(llm_calls=calls), llm=llm)


def check(loop: Loop, case: Case, calls: int) -> None:
    """What must hold of every history."""
    assert case.outcome is not None, "the loop stands still"
    assert loop.made == len(case.payloads(LlmCalled)) == case.llm_calls <= calls
    (end,) = [*case.payloads(ProblemSolved), *case.payloads(ProblemFailed)]
    assert end.report.llm_calls == loop.made
    assert all(c.agent == "planner" or c.call <= calls for c in case.payloads(LlmCalled))


@settings(max_examples=50, deadline=None)
@given(data=st.data(), calls=st.integers(0, 20), engine=engines, words=st.booleans())
def test_no_history_leaves_its_budget_or_stands_still(data, calls, engine, words):
    def say(purpose):
        if data.draw(st.integers(0, 3)) == 0:
            return data.draw(failures)
        return answer(purpose, data.draw(routes), yes=data.draw(st.booleans()))

    def judge(_candidate):
        return data.draw(st.sampled_from([NO, NO, NO, UNKNOWN, accepted()]))

    loop = Loop(config(calls, engine), say, judge, words_only=words)
    check(loop, loop.play(), calls)


@settings(max_examples=25, deadline=None)
@given(data=st.data(), calls=st.integers(2, 20), words=st.booleans())
def test_a_budget_is_spent_to_its_last_call_where_nothing_fails(data, calls, words):
    def say(purpose):
        return answer(purpose, data.draw(routes))

    loop = Loop(config(calls), say, lambda _: NO, words_only=words)
    case = loop.play()
    check(loop, case, calls)
    assert case.outcome is Outcome.NOT_PROVED
    left = calls - loop.made
    # A first attempt at three calls has no plan to make and no critique to wait for.
    start = calls - 2 if words else calls
    assert left == (1 if start in {1, 3} else 0)


def test_twenty_calls_end_with_the_twentieth():
    loop = Loop(config(), answer, lambda _: NO)
    case = loop.play()
    assert loop.made == 20
    assert "All calls of the budget are used." in case.first(ProblemFailed).message


def test_a_machine_that_refuses_everything_says_no_more_than_it_may():
    loop = Loop(config(attempts=3), lambda _: LlmOutcome.REFUSED, lambda _: NO)
    case = loop.play()
    assert case.outcome is Outcome.NOT_PROVED
    sketches = [call for call in case.payloads(LlmCalled) if call.purpose == "sketch"]
    assert (len(sketches), loop.made) == (3, 5)


def test_a_server_that_never_answers_is_a_failure_of_infrastructure():
    loop = Loop(config(), lambda _: LlmOutcome.CONNECTION, lambda _: NO)
    case = loop.play()
    assert case.outcome is Outcome.INFRASTRUCTURE
    assert "base_url" in case.first(ProblemFailed).message
    assert loop.made == loop.tries


def test_a_proof_ends_the_problem_with_its_citations():
    case = Loop(config(), answer, lambda _: accepted("Nat.add_zero")).play()
    report = case.first(ProblemSolved).report
    assert (report.llm_calls, report.precision) == (2, 1.0)
    (citation,) = report.citations.used_in_proof
    assert citation.used_in_sketch
    assert [attempt.engine for attempt in report.attempts] == ["llm"]
