"""CPU time of the embedded Lean: from start to the first verdict, and of warm checks.

    python tests/bench/bench_lean.py [--json] [--checks N]

Measured twice, without the operating-system sandbox and with the isolation of the default policy.

CPU seconds are those of the Lean process (user and system, all threads) plus, for the whole
procedure, those of this process. Targets: first verdict within 8 CPU s of starting, warm checks of
small proofs at 75 ms CPU or less.
"""

import argparse
import json
import resource
import statistics
import sys
import time

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.isolation import IsolationPolicy
from ragsolver_verifier.session import LeanProcess, Program
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchains import installed_program
from ragsolver_verifier.tree import usage

SMALL = (
    ("theorem pos (n : ℕ) (h : 0 < n) : n ≠ 0", "by omega"),
    ("theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p", "⟨h.2, h.1⟩"),
    ("theorem power : 2 ^ 10 % 7 = 2", "by decide"),
    ("theorem zero (n : ℕ) : n + 0 = n", "by simp"),
    ("theorem turn (a b : ℤ) : a * b = b * a", "Int.mul_comm a b"),
)
LIMITS = CheckLimits(timeout_s=120.0)


def lean_cpu_s(pid: int) -> float:
    """User and system seconds of the Lean process so far, and of a sandbox around it."""
    return usage(pid).cpu_s


def own_cpu_s() -> float:
    """User and system seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def judge(session: LeanProcess, header: str, text: str, proof: str) -> None:
    """State and check one proof; it must be accepted."""
    statement = elaborate(session, header, text, timeout_s=120.0)
    verdict = check(session, Question(statement), Candidate(proof), LIMITS)
    if verdict.status is not VerdictStatus.ACCEPTED:
        raise SystemExit(f"{text} := {proof} is {verdict.status}: {verdict.detail}")


def measure(program: Program, checks: int) -> dict[str, float]:
    """All figures; `checks` warm checks."""
    header = compatibility_header("", frozenset())
    began, own = time.perf_counter(), own_cpu_s()
    session = LeanProcess(program, memory_mb=4_000)
    try:
        pid = session.pid
        judge(session, header, *SMALL[0])
        first = {
            "first verdict, CPU s": lean_cpu_s(pid) + own_cpu_s() - own,
            "first verdict, wall s": time.perf_counter() - began,
        }
        for text, proof in SMALL:
            judge(session, header, text, proof)
        lean, walls = [], []
        own = own_cpu_s()
        for number in range(checks):
            text, proof = SMALL[number % len(SMALL)]
            before, start = lean_cpu_s(pid), time.perf_counter()
            judge(session, header, text, proof)
            lean.append(lean_cpu_s(pid) - before)
            walls.append(time.perf_counter() - start)
        ours = (own_cpu_s() - own) / checks
        return {
            **first,
            "warm check, median CPU ms": 1000 * (statistics.median(lean) + ours),
            "warm check, mean CPU ms": 1000 * (statistics.mean(lean) + ours),
            "warm check, median wall ms": 1000 * statistics.median(walls),
            "memory after all, MiB": session.memory_mb(),
        }
    finally:
        session.close()


def main() -> None:
    """Measure and print a table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--checks", type=int, default=100)
    options = parser.parse_args()
    import ragsolver_verifier.repl  # noqa: F401 - costs seconds, which belong to neither column

    programs = [installed_program(IsolationPolicy.OFF), installed_program()]
    names = [", ".join(program.isolation.layers) for program in programs]
    if not programs[1].isolation.sandboxed:
        sys.stderr.write(f"{programs.pop().isolation.detail}\n")
    figures = [measure(program, options.checks) for program in programs]
    if options.json:
        sys.stdout.write(json.dumps(dict(zip(names, figures, strict=False))) + "\n")
        return
    for name, first in figures[0].items():
        row = [first, *(other[name] for other in figures[1:])]
        sys.stdout.write(f"{name:<28}" + "".join(f"{value:12.2f}" for value in row) + "\n")
    for number, name in enumerate(names[: len(figures)], 1):
        sys.stdout.write(f"column {number}: {name}\n")


if __name__ == "__main__":
    main()
