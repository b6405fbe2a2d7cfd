"""Solved holes are put together, once all of them are solved."""

import pytest

from ragsolver_agents.formalizer.assemble import INLINE, LEMMA
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_work import AttemptCritiqued, VerdictIssued
from ragsolver_contracts.report import Outcome
from suites.deciding_world import rejected
from suites.family_world import closed, split


async def decomposed():
    told = split()
    decomposition, *_ = await told.critic()
    told.say(decomposition)
    return told


async def test_both_forms_come_as_one_batch_that_closes_the_attempt():
    told = await decomposed()
    told.say(
        closed("h1", proof="by omega"), closed("h2", proof="Nat.lt_of_lt_of_le h1 (by omega)")
    )
    lemma, inline = await told.formalizer()
    assert (lemma.strategy, inline.strategy) == (LEMMA, INLINE)
    assert [(c.candidate, c.batch, c.closes_batch, c.closes_attempt) for c in (lemma, inline)] == [
        (1, 1, False, False),
        (2, 1, True, True),
    ]
    assert lemma.assembled
    assert inline.assembled
    assert lemma.text.preamble == (
        "theorem add_zero_nat_a1_h1 (n : Nat) (h : n < 5) : n < 7 := by omega\n\n"
        "theorem add_zero_nat_a1_h2 (n : Nat) (h : n < 5) (h1 : n < 7) : n < 8 := "
        "Nat.lt_of_lt_of_le h1 (by omega)"
    )
    assert ":= (by exact (@add_zero_nat_a1_h1 n h))" in lemma.text.proof
    assert ":= by (exact (@add_zero_nat_a1_h2 n h h1))" in lemma.text.proof
    assert inline.text.preamble == ""
    assert ":= (by exact (by omega))" in inline.text.proof
    assert "sorry" not in lemma.text.proof + inline.text.proof


async def test_the_attempt_is_complete_when_they_are_judged_and_not_before():
    told = await decomposed()
    told.say(closed("h1"), closed("h2"))
    assert not told.case.attempt_complete(1)
    told.say(*await told.formalizer())
    assert not told.case.attempt_complete(1)
    for number in (1, 2):
        told.say(VerdictIssued(attempt=1, candidate=number, verdict=rejected("no")))
    assert told.case.attempt_complete(1)


async def test_nothing_is_put_together_while_a_hole_is_open():
    told = await decomposed()
    told.say(closed("h1"))
    assert await told.formalizer() == []
    told.say(closed("h2", Outcome.NOT_PROVED))
    assert await told.formalizer(told.events[-2]) == []


async def test_whichever_hole_is_closed_last_the_proofs_are_the_same():
    told = await decomposed()
    told.say(closed("h1"), closed("h2"))
    assert await told.formalizer(told.events[-1]) == await told.formalizer(told.events[-2])


async def test_own_lemmas_stand_in_a_namespace_and_are_not_inlined():
    told = await decomposed()
    told.say(closed("h1", preamble="theorem own : True := trivial"), closed("h2"))
    (lemma,) = await told.formalizer()
    assert (lemma.candidate, lemma.closes_attempt) == (1, True)
    assert lemma.text.preamble.startswith(
        "namespace add_zero_nat_a1_h1_parts\n\ntheorem own : True := trivial\n\ntheorem"
    )
    assert "@add_zero_nat_a1_h1_parts.add_zero_nat_a1_h1 n h" in lemma.text.proof
    assert "@add_zero_nat_a1_h2 n h h1" in lemma.text.proof


@pytest.mark.parametrize("decomposes", [True, False])
async def test_an_attempt_that_is_over_is_not_put_together(decomposes):
    told = await decomposed() if decomposes else split()
    over = AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=Route.RETRY)
    told.say(*([over] if decomposes else []), closed("h1"), closed("h2"))
    assert await told.formalizer() == []
