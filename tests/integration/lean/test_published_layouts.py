"""Problems as published, read, admitted, and elaborated by Lean."""

import json

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictReason, VerdictStatus
from ragsolver_runtime.admission import Admitted, RawInput, admit
from ragsolver_runtime.problem_files import read_inputs
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.statement import elaborate

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

PARTS = """import Std

namespace Foo

variable {n : Nat} (h : n % 2 = 0)

/-- Words of a definition. -/
def twice (n : Nat) := n + n

set_option maxHeartbeats 0 in
open Nat in
include h in
/-- Words of the problem. -/
lemma twice_mod : -- the answer is 0
    let m := twice n; succ m % 2 = 1 := by

end Foo
"""


@pytest.fixture
def problem(tmp_path):
    record = {"id": "x_1", "NL_main_result": "Words.", "formal_statement": PARTS}
    (tmp_path / "set.json").write_text(json.dumps([record]))
    (found,) = read_inputs(tmp_path / "set.json")
    decided = admit(RawInput(found.message("r1"), "r1"))
    assert isinstance(decided, Admitted)
    return decided.problem


def test_a_statement_taken_apart_means_the_same_to_lean(session, problem):
    assert "set_option maxHeartbeats 0" in problem.header
    statement = elaborate(session, problem.header, problem.formal_statement, timeout_s=60)
    assert statement.ok, statement.detail
    assert (statement.name, problem.declaration) == ("Foo.twice_mod", "twice_mod")
    view = statement.view
    assert view is not None
    assert [binder.name for binder in view.binders if binder.is_prop] == ["h"]


def test_a_header_without_heartbeat_limit_does_not_lift_ours(session, problem):
    """The header of miniF2F sets the heartbeats to none; a check has its own all the same."""
    statement = elaborate(session, problem.header, problem.formal_statement, timeout_s=60)
    again = "iterate 60 (have q : n % 2 = 0 := (by omega))"
    proof = Candidate(f"by\n  {again}\n  simp only [twice, Nat.succ_eq_add_one]\n  omega")
    few, enough = (CheckLimits(max_heartbeats=n, timeout_s=60.0) for n in (1_000, 200_000))
    verdict = check(session, Question(statement), proof, few)
    assert (verdict.status, verdict.reason) == (VerdictStatus.INCONCLUSIVE, VerdictReason.TIMEOUT)
    verdict = check(session, Question(statement), proof, enough)
    assert verdict.status is VerdictStatus.ACCEPTED, verdict.diagnostics
