"""Whatever stands before a candidate in its batch, it gets the same verdict."""

import random

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.statement import elaborate
from suites.lean_specimens import specimens

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

LIMITS = CheckLimits(max_heartbeats=20_000, timeout_s=60.0)
MEASURED = {"elapsed_ms", "cpu_ms", "memory_mb"}
ZOO = (
    *("csimp", "default_instance", "elaborator_adds_lie", "exit", "local_instance"),
    *("local_macro", "local_notation", "open_comment", "redefined_constant"),
    *("skip_kernel_in_tactic", "variable_false", "warn_sorry_off"),
)
GARDEN = (
    *("instance_and_derived", "mutual_recursion", "options_and_attributes"),
    *("own_notation", "shared_matcher"),
)
"""Those that change an environment, its options, its syntax or its instances."""


def chosen():
    return [s for s in specimens("zoo") if s.name in ZOO] + [
        s for s in specimens("garden") if s.name in GARDEN
    ]


def verdict(session, specimen):
    statement = elaborate(session, specimen.header, specimen.statement, timeout_s=60)
    said = check(session, Question(statement), specimen.candidate, LIMITS)
    return said.model_dump(exclude=MEASURED)


def test_the_order_of_a_batch_changes_no_verdict(session):
    items = chosen()
    assert len(items) == len(ZOO) + len(GARDEN)
    first = {(s.name, s.statement): verdict(session, s) for s in items}
    random.Random(0).shuffle(items)
    for specimen in items:
        assert verdict(session, specimen) == first[specimen.name, specimen.statement]


def test_the_order_of_candidates_for_one_statement_changes_no_verdict(session):
    statement = elaborate(session, "", "theorem foo (n : Nat) : n + 0 = n", timeout_s=60)
    honest = [Candidate("by simp"), Candidate("rfl"), Candidate("by omega", "def two := 2")]
    order = [*honest, *(specimen.candidate for specimen in chosen())]

    def judged(candidate):
        return check(session, Question(statement), candidate, LIMITS).model_dump(exclude=MEASURED)

    first = {candidate: judged(candidate) for candidate in order}
    for candidate in reversed(order):
        assert judged(candidate) == first[candidate]
    assert all(first[candidate]["status"] == "accepted" for candidate in honest)
