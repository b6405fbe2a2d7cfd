"""A sketch with holes is split or ends its attempt; a hole that stays open ends it as well."""

import pytest

from ragsolver_agents.critic.decide import decide
from ragsolver_agents.critic.family import fair_share, left_open
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_family import ChildProblem, ProblemDecomposed
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    ProblemFailed,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, Engines, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import accepted, checked, rejected, view
from suites.family_world import CONFIG, HOLES, Told, closed, hole, skeleton, sketch, split, verdict

LLM = RunConfig(engines=Engines(generator="llm", formalizer="llm", critic="llm"))
SKETCH = ProofSketched(attempt=1, plan=1, text="split it", proof="by\n  sorry", engine="llm")
VERDICT = VerdictIssued(attempt=1, candidate=0, verdict=rejected("declaration uses sorry"))


def proposed(*, skeleton, number=0):
    return CandidateProposed(
        attempt=1,
        candidate=number,
        batch=number,
        closes_batch=True,
        closes_attempt=False,
        text=CandidateText(proof="by\n  sorry"),
        strategy="llm/skeleton" if skeleton else "llm/1",
        skeleton=skeleton,
        engine="llm",
    )


def case_of(*payloads, config=LLM):
    asked = ProblemSubmitted(problem=problem())
    events = [event(p) for p in (asked, checked(view("n < 7")), SKETCH, *payloads)]
    return Case.fold("r1", events[0].problem_id, events, config), events[-1]


def test_a_judged_skeleton_is_critiqued_and_the_next_attempt_follows():
    case, trigger = case_of(proposed(skeleton=True), VERDICT)
    (critique,) = decide(case, trigger)
    assert isinstance(critique, AttemptCritiqued)
    assert (critique.attempt, critique.route) == (1, Route.RETRY)


def test_the_report_of_the_last_attempt_says_how_its_skeleton_ended():
    last = LLM.model_copy(update={"budget": Budget(attempts=1)})
    case, trigger = case_of(proposed(skeleton=True), VERDICT, config=last)
    critique, failed = decide(case, trigger)
    assert critique.route is Route.EXHAUSTED
    (attempt,) = failed.report.attempts
    assert attempt.outcome == critique.error_class.value


def test_a_skeleton_whose_check_failed_is_over_too():
    lost = WorkFailed(
        failed_role="verifier",
        stage="handle",
        error="SessionDied",
        message="it died",
        deliveries=5,
        trigger_id="x",
        trigger_type="candidate_proposed",
        attempt=1,
        candidate=0,
    )
    case, _ = case_of(proposed(skeleton=True), lost)
    assert left_open(case, 1)


def test_a_skeleton_that_is_not_judged_is_waited_for():
    case, _ = case_of(proposed(skeleton=True))
    assert not left_open(case, 1)


def test_an_attempt_without_candidates_is_waited_for():
    assert not left_open(case_of()[0], 1)


def test_an_open_attempt_of_plain_candidates_is_waited_for():
    case, trigger = case_of(proposed(skeleton=False), VERDICT)
    assert not left_open(case, 1)
    assert decide(case, trigger) == []


def test_an_assembled_proof_is_waited_for():
    case, _ = case_of(proposed(skeleton=True), VERDICT, proposed(skeleton=False, number=1))
    assert not left_open(case, 1)


def test_what_was_decomposed_is_waited_for():
    child = ChildProblem(
        hole_id="h1", problem_id="p.a1.h1", formal_statement="theorem x : True", declaration="x"
    )
    case, trigger = case_of(
        proposed(skeleton=True), VERDICT, ProblemDecomposed(attempt=1, children=(child,))
    )
    assert not left_open(case, 1)
    assert decide(case, trigger) == []


async def test_holes_of_a_sketch_that_holds_become_problems():
    told = split(split="test", header="open Nat")
    decomposed, first, second = await told.critic()
    assert [c.problem_id for c in decomposed.children] == [
        "add_zero_nat.a1.h1",
        "add_zero_nat.a1.h2",
    ]
    child = second.problem
    assert child.formal_statement == (
        "theorem add_zero_nat_a1_h2 (n : Nat) (h : n < 5) (h1 : n < 7) : n < 8"
    )
    assert (child.declaration, child.header, child.split) == (
        "add_zero_nat_a1_h2",
        "open Nat",
        "test",
    )
    assert (child.informal_statement, child.hints) == ("step h2", ("step h1", "step h2"))
    parent = child.parent
    assert (parent.ancestors, parent.depth, parent.hole_id) == (("add_zero_nat",), 1, "h2")
    assert told.port.granted == {
        "add_zero_nat.a1.h1": first.problem.parent.llm_calls,
        "add_zero_nat.a1.h2": parent.llm_calls,
    }
    assert parent.llm_calls == CONFIG.llm.child_calls


async def test_the_parent_keeps_calls_for_an_attempt_of_its_own_and_a_useless_call():
    told = split(config=CONFIG.model_copy(update={"budget": Budget(llm_calls=6)}))
    _, first, second = await told.critic()
    assert (first.problem.parent.llm_calls, second.problem.parent.llm_calls) == (3, 0)


@pytest.mark.parametrize(
    ("left", "most", "shares"),
    [
        (18, 8, [6, 6, 6]),
        (30, 8, [8, 8, 8]),
        (8, 8, [3, 3, 2]),
        (5, 8, [3, 2, 0]),
        (3, 8, [3, 0, 0]),
        (1, 8, [0, 0, 0]),
        (18, 1, [0, 0, 0]),
        (-1, 8, [0, 0, 0]),
    ],
)
def test_holes_share_evenly_what_is_there_and_none_gets_a_useless_call(left, most, shares):
    told = []
    for waiting in (3, 2, 1):
        told.append(fair_share(left, waiting, most))
        left -= told[-1]
    assert told == shares


async def test_a_delivery_that_comes_again_says_the_same():
    told = split()
    trigger = told.events[-1]
    said = await told.critic()
    told.say(said[0], closed("h1", Outcome.NOT_PROVED))
    assert await told.critic(trigger) == said


@pytest.mark.parametrize(
    ("holes", "errors", "changes", "advice"),
    [
        (HOLES[:1], (), {}, "The sketch names 2 holes, Lean finds 1."),
        (HOLES, (), {"width": 1}, "The sketch has 2 holes, 1 may be there."),
        (HOLES, (), {"depth": 0}, "Holes may become problems 0 levels deep: prove it directly."),
        (
            (HOLES[0], hole(3, 24, 29, "n < 7 ∧ n < 8", ("n", "Nat"), ("h", "n < 5"))),
            (),
            {},
            "A hole of the sketch is the whole problem again.",
        ),
        (HOLES, ("type mismatch",), {}, "Plan it another way."),
    ],
)
async def test_a_sketch_that_is_not_split_is_critiqued(holes, errors, changes, advice):
    llm = CONFIG.llm.model_copy(update=changes)
    told = Told(sketch(), skeleton(), config=CONFIG.model_copy(update={"llm": llm}))
    told.say(verdict(holes, *errors))
    (critique,) = await told.critic()
    assert isinstance(critique, AttemptCritiqued)
    assert critique.route is Route.REPLAN
    assert critique.advice.startswith(advice)
    assert told.port.granted == {}


async def split_with(*more, **changes):
    told = split(**changes)
    decomposed, *_ = await told.critic()
    told.say(decomposed, *more)
    return told


async def test_a_hole_that_stays_open_ends_the_attempt_and_calls_the_others_off():
    told = await split_with(closed("h1", Outcome.NOT_PROVED, message="No proof was found."))
    hole_, about, critique = await told.critic()
    assert (hole_.hole_id, hole_.outcome, hole_.llm_calls) == ("h2", Outcome.CANCELLED, 3)
    assert (about.problem_id, about.payload.requested_by) == ("add_zero_nat.a1.h2", "parent")
    assert (critique.error_class, critique.route) == (ErrorClass.UNSOLVED_GOALS, Route.REPLAN)
    assert critique.advice == (
        "Hole h1 (`theorem add_zero_nat_a1_h1 (n : Nat) (h : n < 5) : n < 7`) stays open: "
        "No proof was found. Plan it another way."
    )


async def test_a_false_hole_is_called_false():
    told = await split_with(closed("h2", Outcome.STATEMENT_FALSE))
    *_, critique = await told.critic()
    assert "n < 8`) is false: its negation is proved." in critique.advice


async def test_without_another_attempt_the_parent_ends_with_its_hole():
    last = CONFIG.model_copy(update={"budget": Budget(attempts=1, llm_calls=12)})
    told = await split_with(closed("h1", Outcome.REFUSED, message="odd"), config=last)
    *_, critique, failed = await told.critic()
    assert critique.route is Route.EXHAUSTED
    assert isinstance(failed, ProblemFailed)


async def test_solved_holes_and_late_ones_say_nothing():
    told = await split_with(closed("h1"))
    assert await told.critic() == []
    told = await split_with(
        closed("h1", Outcome.NOT_PROVED), closed("h2", Outcome.CANCELLED), sketch(attempt=2)
    )
    assert await told.critic(told.events[-2]) == []


async def test_an_assembled_proof_solves_the_problem():
    told = await split_with(closed("h1", calls=1), closed("h2", calls=2))
    told.say(*await told.formalizer())
    told.say(VerdictIssued(attempt=1, candidate=1, verdict=accepted()))
    (solved,) = await told.critic()
    assert isinstance(solved, ProblemSolved)
    assert "llm/assembled/lemma" in solved.report.message


async def test_the_deepest_child_is_not_split():
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("r", "p"), llm_calls=9)
    told = split(parent=parent)
    (critique,) = await told.critic()
    assert critique.advice.startswith("Holes may become problems 2 levels deep")
