from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.events_work import ProblemPlanned
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.state import (
    Slot,
    exchanges,
    order_of,
    run_state_hash,
    state_hash,
    state_of,
)
from ragsolver_contracts.testing import event, problem
from suites.sample_run import RUN, sample_run

NAMES = ("add_zero_nat", "hard", "real_sum", "dropped")


def case_of(name: str) -> Case:
    return Case.fold(RUN, name, [e for e in sample_run() if e.problem_id == name])


def test_every_fate_has_its_own_state() -> None:
    hashes = {state_hash(case_of(name)) for name in NAMES}
    assert len(hashes) == len(NAMES)
    assert all(len(found) == 64 for found in hashes)


def test_the_state_of_a_run_does_not_depend_on_the_order_of_problems() -> None:
    pairs = [(name, state_hash(case_of(name))) for name in NAMES]
    assert run_state_hash(pairs) == run_state_hash(reversed(pairs))
    assert run_state_hash(pairs) != run_state_hash(pairs[1:])
    assert run_state_hash([("a", "x"), ("b", "y")]) != run_state_hash([("a", "y"), ("b", "x")])


def test_of_a_cancelled_problem_only_that_counts() -> None:
    asked = event(ProblemSubmitted(problem=problem()))
    cancelled = event(ProblemCancelled(requested_by="anna", reason="slow"))
    subgoal = Subgoal(subgoal_id="s1", statement_nl="x", search_queries=("q",))
    plan = event(ProblemPlanned(plan=1, subgoals=(subgoal,)))
    early = Case.fold("r1", "add_zero_nat", [asked, cancelled])
    late = Case.fold("r1", "add_zero_nat", [asked, plan, cancelled])
    assert state_hash(early) == state_hash(late)
    assert state_of(late)[Slot("end")] == {"outcome": "cancelled"}


def test_slots_stand_in_the_order_of_the_work() -> None:
    case = case_of("hard")
    names = [slot.name for slot in sorted(state_of(case), key=order_of(case))]
    assert names[0] == "problem"
    assert names[-1] == "end"
    first = {name: names.index(name) for name in dict.fromkeys(names)}
    wanted = ("statement_checked", "problem_planned", "evidence_retrieved", "proof_sketched")
    wanted += ("candidate_proposed", "verdict_issued", "attempt_critiqued")
    assert sorted(wanted, key=first.__getitem__) == list(wanted)


def test_a_call_stands_after_what_made_it_necessary_and_before_what_followed() -> None:
    case = case_of("hard")
    cause = next(e for e in case.events.values() if e.name == "statement_checked")
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
    )
    said = event(call, run_id=RUN, problem_id="hard", cause=cause)
    case = Case.fold(RUN, "hard", [*case.events.values(), said])
    order = order_of(case)
    made = order(Slot("llm_called", (1,)))
    assert order(Slot("statement_checked")) < made < order(Slot("problem_planned", (1,)))


def test_a_slot_reads_as_name_and_number() -> None:
    assert str(Slot("verdict_issued", (2, 3))) == "verdict_issued 2.3"
    assert str(Slot("end")) == "end"


def test_a_field_that_has_its_default_is_not_part_of_a_state() -> None:
    """So that a later version's new field changes the hash of no older run."""
    told = str(state_of(case_of("hard")))
    assert "named_in_proof" not in told
    assert "elaboration_error" in told


def called(number: int, outcome: str = "answered", **changes: object) -> LlmCalled:
    values = {
        "call": number,
        "agent": "planner",
        "purpose": "plan",
        "prompt_id": "p",
        "prompt_hash": "h",
        "model": "m",
        "request_hash": "r",
        "response": "said",
        "stop_reason": "end_turn",
        "outcome": LlmOutcome(outcome),
    }
    return LlmCalled(**{**values, **changes})


def folded(*calls: LlmCalled) -> Case:
    asked = event(ProblemSubmitted(problem=problem()))
    events = [event(call, cause=asked, seconds=call.call) for call in calls]
    return Case.fold("r1", "add_zero_nat", [asked, *events])


def test_tries_lost_calls_and_their_costs_are_no_part_of_a_state() -> None:
    plain = folded(called(1))
    tried = folded(called(1, "overloaded"), called(2, "lost"), called(3, retry=2))
    other = called(1, latency_ms=9.0, cost_usd=2.0, output_tokens=4, request={"a": 1})
    assert state_hash(plain) == state_hash(tried) == state_hash(folded(other))
    assert [e.data.call for e in exchanges(tried)] == [3]


def test_of_two_answers_to_one_question_the_first_counts() -> None:
    assert state_hash(folded(called(1), called(2))) == state_hash(folded(called(1)))


def test_what_was_asked_and_answered_is_part_of_a_state() -> None:
    hashes = {
        state_hash(folded(call))
        for call in (
            called(1),
            called(1, response="other"),
            called(1, request_hash="other"),
            called(1, prompt_hash="other"),
            called(1, "refused"),
        )
    }
    assert len(hashes) == 5
