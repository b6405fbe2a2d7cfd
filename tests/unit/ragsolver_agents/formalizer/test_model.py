"""The formalizer turns a model's answer into candidates under the run's own limits."""

import pytest

from ragsolver_agents.formalizer.model import decide, plain
from ragsolver_contracts.events_work import AttemptAbandoned, CandidateProposed, ProofSketched
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.plan import Hole
from suites.makers_world import FOUND, PLANNED, UNSTATED, WORDS, case_of, stated
from suites.scripted_port import ScriptedPort, text_of

SKETCH = ProofSketched(
    attempt=1,
    plan=1,
    text="By rfl.",
    used_citations=("M1",),
    offered_citations=("M1", "M2"),
    engine="llm",
)


def answer(*proofs, **fields):
    return {"candidates": [{"proof": proof, **fields} for proof in proofs]}


async def proposed(said, *before, sketch=SKETCH):
    port = ScriptedPort(said)
    return await decide(*stated(PLANNED, FOUND, *before, sketch), port), port


async def test_candidates_are_one_batch_under_the_runs_limits():
    found, port = await proposed(answer("rfl", "by simp", "by omega", "by decide"))
    assert [item.text.proof for item in found] == ["rfl", "by simp", "by omega"]
    assert [item.strategy for item in found] == ["llm/1", "llm/2", "llm/3"]
    assert [item.closes_batch for item in found] == [False, False, True]
    assert [item.closes_attempt for item in found] == [False, False, True]
    assert {item.limits.max_heartbeats for item in found} == {200_000}
    assert {item.limits.timeout_s for item in found} == {120.0}
    assert {item.engine for item in found} == {"llm"}
    assert "⟦data sketch" in text_of(port.asked[0])


async def test_citations_are_those_that_were_offered():
    found, _ = await proposed(answer("rfl", used_citations=["M2", "M9"]))
    assert found[0].citations == ("M2",)
    found, _ = await proposed(answer("rfl", used_citations=["M9"]))
    assert found[0].citations == ("M1",)


async def test_a_negation_is_said_to_be_one():
    found, _ = await proposed(answer("fun h => absurd h", negated=True))
    assert found[0].negated


async def test_what_was_tried_before_is_not_tried_again():
    (first,), _ = await proposed(answer("rfl"))
    second = SKETCH.model_copy(update={"attempt": 2})
    found, _ = await proposed(answer(" rfl", "rfl", "by simp"), SKETCH, first, sketch=second)
    assert [item.text.proof for item in found] == ["by simp"]
    (ended,), _ = await proposed(answer("rfl"), SKETCH, first, sketch=second)
    assert isinstance(ended, AttemptAbandoned)
    assert (ended.attempt, ended.outcome) == (2, LlmOutcome.INVALID)


async def test_a_delivery_that_comes_again_proposes_and_asks_the_same():
    found, port = await proposed(answer("rfl", "by simp"))
    case, _ = stated(PLANNED, FOUND, SKETCH, found[0])
    trigger = next(e for e in case.events.values() if e.data == SKETCH)
    again = ScriptedPort(answer("rfl", "by simp"))
    assert await decide(case, trigger, again) == found
    assert again.asked == port.asked


async def test_a_sketch_with_holes_is_checked_as_it_stands():
    hole = Hole(hole_id="h1", subgoal_id="s1", statement="x")
    split = SKETCH.model_copy(update={"holes": (hole,), "proof": "by\n  sorry"})
    (found,), port = await proposed(None, sketch=split)
    assert (found.skeleton, found.closes_batch, found.closes_attempt) == (True, True, False)
    assert (found.strategy, found.text.proof) == ("llm/skeleton", "by\n  sorry")
    assert port.asked == []


@pytest.mark.parametrize("outcome", [None, LlmOutcome.REFUSED])
async def test_no_answer_is_told(outcome):
    (ended,), _ = await proposed(outcome)
    assert (ended.agent, ended.attempt, ended.outcome) == ("formalizer", 1, outcome)


@pytest.mark.parametrize("text", ["by simp", "```lean\nby simp\n```", ":= by simp", " by simp\n"])
def test_wrapping_is_taken_off(text):
    assert plain(text) == "by simp"


async def test_an_obedient_answer_is_still_only_a_candidate():
    """It goes to the checker as text; the forbidden is the checker's to find."""
    evil = "by\n  set_option maxHeartbeats 0 in\n  sorry"
    (found,), _ = await proposed(answer(evil, preamble="import Lean\naxiom cheat : False"))
    assert isinstance(found, CandidateProposed)
    assert found.limits.max_heartbeats == 200_000
    assert (found.text.proof, found.skeleton) == (evil, False)


async def test_words_become_a_statement():
    port = ScriptedPort({"formal_statement": "theorem x (n : Nat) : n + 0 = n := by sorry"})
    (written,) = await decide(*case_of(WORDS, UNSTATED), port)
    assert written.formal_statement == "theorem add_zero_nat (n : Nat) : n + 0 = n"
