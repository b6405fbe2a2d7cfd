"""Texts that fail in every way that is told apart, what they are, and what real Lean says of them.

What Lean says is kept in `tests/golden/lean_failures.jsonl`, so that fast tests need no Lean;
`python tests/golden/update_failures.py` writes it anew, and a connected test compares.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.verdict import Verdict
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.statement import elaborate

RECORDED = Path(__file__).parents[1] / "golden" / "lean_failures.jsonl"
LIMITS = CheckLimits(max_heartbeats=20_000, timeout_s=60.0)
EQUAL = "theorem t (a b : ℕ) (h : a = b) : b = a"
LESS = "theorem t (a b : ℕ) (h : a ≤ b) : b = a"


class Failure(NamedTuple):
    """One text that is no proof."""

    name: str
    statement: str
    proof: str
    expect: ErrorClass
    unknown: tuple[tuple[str, str], ...] = ()
    """What Lean does not know: kind of name and name."""
    preamble: str = ""


UNKNOWN, SYNTAX = ErrorClass.UNKNOWN_IDENTIFIER, ErrorClass.SYNTAX_ERROR
MISMATCH, TACTIC = ErrorClass.TYPE_MISMATCH, ErrorClass.TACTIC_FAILED
GOALS, TIMEOUT = ErrorClass.UNSOLVED_GOALS, ErrorClass.TIMEOUT

FAILURES: Sequence[Failure] = (
    Failure("constant", EQUAL, "by exact Nat.add_com", UNKNOWN, (("declaration", "Nat.add_com"),)),
    Failure("identifier", EQUAL, "add_comm a b", UNKNOWN, (("declaration", "add_comm"),)),
    Failure("lemma of rw", EQUAL, "by rw [my_lemma]", UNKNOWN, (("declaration", "my_lemma"),)),
    Failure(
        "lemmas of simp",
        EQUAL,
        "by simp [Nat.le_foo, my_lemma]",
        UNKNOWN,
        (("declaration", "Nat.le_foo"), ("declaration", "my_lemma")),
    ),
    Failure(
        "lemma of grind", EQUAL, "by grind [my_lemma]", UNKNOWN, (("declaration", "my_lemma"),)
    ),
    Failure("field", EQUAL, "h.sym", UNKNOWN, (("field", "Eq.sym"),)),
    Failure(
        "hint",
        "theorem t (l : List ℕ) : l.all (fun _ => true) = true",
        "List.every l",
        UNKNOWN,
        (("declaration", "List.every"),),
    ),
    Failure(
        "hint of a field",
        "theorem t (l : List ℕ) : l = l",
        "by\n  have : l.every (fun _ => true) = true := by simp\n  rfl",
        UNKNOWN,
        (("field", "List.every"),),
    ),
    Failure("namespace", EQUAL, "h.symm", UNKNOWN, (("namespace", "Foo"),), preamble="open Foo"),
    Failure(
        "option",
        EQUAL,
        "h.symm",
        UNKNOWN,
        (("option", "pp.nope"),),
        preamble="set_option pp.nope true",
    ),
    Failure("tactic", EQUAL, "by\n  skip\n  linarith", SYNTAX, (("tactic", "linarith"),)),
    Failure("open bracket", EQUAL, "by exact (h", SYNTAX),
    Failure("wrong term", EQUAL, "h", MISMATCH),
    Failure("wrong term in a tactic", EQUAL, "by\n  exact h", MISMATCH),
    Failure("wrong argument", LESS, "Nat.le_antisymm h h", MISMATCH),
    Failure("no function", EQUAL, "h.symm h", MISMATCH),
    Failure("no instance", EQUAL, "(inferInstance : Inhabited Empty).default.elim", MISMATCH),
    Failure("nothing done", EQUAL, "by skip", GOALS),
    Failure("two cases", LESS, "by apply Nat.le_antisymm", GOALS),
    Failure("sorry", EQUAL, "by\n  have : a = a := rfl\n  sorry", GOALS),
    Failure("omega", LESS, "by omega", TACTIC),
    Failure("simp", LESS, "by simp", TACTIC),
    Failure("rfl", LESS, "by rfl", TACTIC),
    Failure("grind", LESS, "by grind", TACTIC),
    Failure("decide", "theorem t : 1 = 2", "by decide", TACTIC),
    Failure("rewrite", LESS, "by rw [Nat.mul_comm]", TACTIC),
    Failure("apply", EQUAL, "by apply Nat.mul_comm", TACTIC),
    Failure("assumption", EQUAL, "by assumption", TACTIC),
    Failure("constructor", EQUAL, "by constructor", TACTIC),
    Failure("intro", EQUAL, "by intro x", TACTIC),
    Failure(
        "in a case",
        "theorem t (f : ℕ → ℕ) (h : ∀ n, f (n + 1) = f n) (n : ℕ) : f n = f 0",
        "by\n  induction n with\n  | zero => rfl\n  | succ n ih => simp",
        TACTIC,
    ),
    Failure("in a calculation", LESS, "by\n  calc b = b := rfl\n  _ = a := by omega", TACTIC),
    Failure(
        "heartbeats",
        "theorem t (a b c d e f : ℤ) : (a + b + c + d + e + f) ^ 9 ≥ 0",
        "by set_option maxHeartbeats 1 in grind",
        TIMEOUT,
    ),
)


def judge(session: LeanSession, failure: Failure) -> Verdict:
    """The verdict on one of them."""
    header = compatibility_header("", frozenset())
    statement = elaborate(session, header, failure.statement, timeout_s=60)
    assert statement.ok, f"{failure.name}: {statement.detail}"
    candidate = Candidate(failure.proof, failure.preamble)
    return check(session, Question(statement), candidate, LIMITS)


def record(failure: Failure, verdict: Verdict) -> dict[str, Any]:
    """What is kept of a verdict."""
    return {
        "name": failure.name,
        "reason": verdict.reason,
        "messages": [
            {"severity": item.severity, "kind": item.kind, "text": item.text}
            for item in verdict.diagnostics
        ],
        "goals": list(verdict.goals),
        "unknown": [
            {"what": item.what, "name": item.name, "suggestions": list(item.suggestions)}
            for item in verdict.unknown_identifiers
        ],
    }


def recorded() -> dict[str, dict[str, Any]]:
    """What was kept, by name."""
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    return {item["name"]: item for item in map(json.loads, lines)}
