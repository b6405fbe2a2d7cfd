"""The portfolio's Mathlib families on a real Mathlib; only a native toolchain has one."""

import pytest

from ragsolver_agents.formalizer.portfolio.families import FAMILIES
from ragsolver_agents.formalizer.portfolio.script import Asked
from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.statement import elaborate

pytestmark = [pytest.mark.connected, pytest.mark.timeout(600)]

LIMITS = CheckLimits(max_heartbeats=200_000, timeout_s=120.0)
HEADER = "import Mathlib"
PROVED_BY = {
    "mathlib_close": "theorem t (x : ℝ) : (x + 1) ^ 2 = x ^ 2 + 2 * x + 1",
    "mathlib_ring": "theorem t (a b : ℝ) (h : a + b = 8) (k : a - b = 2) : a = 5",
    "mathlib_order": "theorem t (a b : ℝ) : 2 * a * b ≤ a ^ 2 + b ^ 2",
    "mathlib_cases": "theorem t (n : ℕ) (h : 2 < n) (k : n < 5) : n = 3 ∨ n = 4",
}


def test_every_mathlib_family_has_a_statement_here():
    assert set(PROVED_BY) == {name for name in FAMILIES if name.startswith("mathlib_")}


@pytest.mark.parametrize("name", PROVED_BY)
def test_a_family_proves_what_is_its_own(session, name):
    if session.toolchain.kind != "native":
        pytest.skip("Mathlib is missing: only the native toolchain has it")
    statement = elaborate(session, HEADER, PROVED_BY[name], timeout_s=300)
    assert statement.ok, statement.detail
    scripts = FAMILIES[name].scripts(Asked(statement.view, mathlib=True))
    tried = (Candidate(script.proof, script.preamble) for script in scripts)
    verdicts = (check(session, Question(statement), item, LIMITS) for item in tried)
    assert any(verdict.status is VerdictStatus.ACCEPTED for verdict in verdicts)
