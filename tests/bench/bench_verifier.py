"""What a verdict costs beside a plain REPL, how many a core gives, and whether fast is the same.

    python tests/bench/bench_verifier.py [--json] [--quick] [--rounds N] [--fresh N]

- *price*: the honest proofs of `lean_project/garden`, by turns judged by the trusted procedure
  (the statement alone, the proof, the kernel's second look) and by lean-interact used plainly on
  the same Lean. Goal: at most 1.5 times the CPU.
- *warm* and *cold*: verdicts a second of a core (CPU of the Lean process), with the header's
  environment kept and with another header every time.
- *agreement*: specimens of zoo and garden, judged in a warm session after all the others and by a
  process of their own. Goal: 100 %.
- *throughput*: the same work on one session and on two, through the worker's own pool.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from plain_repl import PlainRepl

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.batch import Asked
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError
from ragsolver_verifier.handler import open_checker
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.session import LeanProcess
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchains import installed_program, start_session
from ragsolver_verifier.tree import usage
from suites.lean_specimens import Specimen, specimens

LIMITS = CheckLimits(max_heartbeats=200_000, timeout_s=120.0)
LONGEST_TEXT = 20_000
"""Longer specimens say more of one tactic than of the procedure."""
COLD = 12
COLD_PROOF = Specimen(
    name="cold",
    kind="",
    says="",
    header="",
    statement="theorem t (n : Nat) : n + 0 = n",
    expect="accepted",
    candidate=Candidate("by simp"),
    seconds=60.0,
)
Figures = dict[str, float]


def judged(session: Any, item: Specimen) -> str:
    """What the trusted procedure says: the statement alone, then the candidate."""
    try:
        statement = elaborate(session, item.header, item.statement, timeout_s=120.0)
        verdict = check(session, Question(statement), item.candidate, LIMITS)
    except LeanFailureError:
        return "failure"
    return f"{verdict.status} {verdict.reason or ''}".strip()


def garden() -> list[Specimen]:
    """Honest proofs of ordinary length that are one text."""
    found = [item for item in specimens("garden") if item.candidate.whole is not None]
    return [item for item in found if len(text_of(item)) <= LONGEST_TEXT]


def text_of(item: Specimen) -> str:
    """The whole text of a specimen that is one."""
    return item.candidate.whole or ""


class Meter:
    """CPU and wall-clock seconds of one Lean process, try by try."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.cpu: list[float] = []
        self.wall: list[float] = []

    def run(self, work: Callable[[], object]) -> object:
        """Do it and keep what it took."""
        cpu, wall = usage(self.pid).cpu_s, time.perf_counter()
        done = work()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(usage(self.pid).cpu_s - cpu)
        return done


def price(ours: LeanProcess, rounds: int) -> Figures:
    """Both ways by turns on the same proofs, after one round that warms both."""
    proofs = garden()
    with PlainRepl() as plain:
        for item in proofs:
            expect("accepted", judged(ours, item), item.name)
            plain.valid(item.header, text_of(item))
        mine, theirs = Meter(ours.pid), Meter(plain.pid)
        for _ in range(rounds):
            for item in proofs:
                theirs.run(lambda item=item: plain.valid(item.header, text_of(item)))
                mine.run(lambda item=item: judged(ours, item))
    return {
        "proofs": len(proofs),
        "price, CPU": sum(mine.cpu) / sum(theirs.cpu),
        "price, wall": sum(mine.wall) / sum(theirs.wall),
        "warm verdicts/s of a core": len(mine.cpu) / sum(mine.cpu),
        "plain answers/s of a core": len(theirs.cpu) / sum(theirs.cpu),
        **percentiles("warm, ms", mine.wall),
        **percentiles("plain, ms", theirs.wall),
    }


def percentiles(name: str, seconds: Sequence[float]) -> Figures:
    """p50, p95 and p99 in milliseconds."""
    cuts = statistics.quantiles([1000 * value for value in seconds], n=100)
    return {f"{name} p50": cuts[49], f"{name} p95": cuts[94], f"{name} p99": cuts[98]}


def cold(ours: LeanProcess) -> Figures:
    """A header that was never seen every time."""
    meter = Meter(ours.pid)
    core = compatibility_header("", frozenset())
    for number in range(COLD):
        header = f"{core}\nnamespace Cold{number}\nend Cold{number}"
        item = replace(COLD_PROOF, header=header)
        meter.run(lambda item=item: expect("accepted", judged(ours, item), "cold"))
    return {
        "cold verdicts/s of a core": COLD / sum(meter.cpu),
        "cold, ms p50": 1000 * statistics.median(meter.wall),
    }


def agreement(warm: LeanProcess, fresh: int) -> Figures:
    """The same verdicts from a process that has judged everything and from one of its own."""
    calm = [
        s for s in specimens("zoo") if s.expect.startswith("rejected") and "or" not in s.expect
    ]
    chosen = [*spread(calm, fresh // 2), *spread(garden(), fresh - fresh // 2)]
    same = 0
    for item in chosen:
        session = start_session(installed_program(), VerifierSettings())
        try:
            alone = judged(session, item)
        finally:
            session.close()
        together = judged(warm, item)
        same += alone == together
        if alone != together:
            sys.stderr.write(f"{item.name}: {alone} alone, {together} among others\n")
    return {"agreement, %": 100 * same / max(len(chosen), 1), "agreement over": len(chosen)}


def spread(items: Sequence[Specimen], count: int) -> list[Specimen]:
    """So many of the items, evenly apart."""
    return [items[i * len(items) // count] for i in range(count)] if count else []


async def throughput(rounds: int) -> Figures:
    """Verdicts a second on one session and on two, and how often a header was kept."""
    found: Figures = {}
    for sessions in (1, 2):
        async with open_checker(VerifierSettings(sessions=sessions)) as checker:
            work = [item for item in garden() for _ in range(rounds)]
            await asyncio.gather(*(_one(checker, item) for item in garden()[:sessions]))
            await asyncio.sleep(15 * (sessions - 1))  # the second session starts meanwhile
            began = time.perf_counter()
            await asyncio.gather(*(_one(checker, item) for item in work))
            found[f"verdicts/s, {sessions} sessions"] = len(work) / (time.perf_counter() - began)
            found["header cache hits, %"] = 100 * checker.tally.header_hit_rate
    found["gain from 1 to 2"] = found["verdicts/s, 2 sessions"] / found["verdicts/s, 1 sessions"]
    return found


async def _one(checker: Any, item: Specimen) -> None:
    statement = await checker.state(item.header, item.statement)
    (said,) = await checker.judge([Asked(Question(statement), item.candidate, LIMITS)])
    status = getattr(said, "status", None)
    expect(VerdictStatus.ACCEPTED, status, item.name)


def expect(wanted: object, said: object, name: str) -> None:
    """Figures about something else than was meant are worth nothing."""
    if said != wanted:
        raise SystemExit(f"{name} is {said}, not {wanted}")


def measure(rounds: int, fresh: int) -> Figures:
    """Everything, one after the other."""
    began = time.perf_counter()
    ours = LeanProcess(installed_program(), memory_mb=4_000)
    try:
        expect("accepted", judged(ours, garden()[0]), "first")
        figures = {
            "start to first verdict, s": time.perf_counter() - began,
            "start to first verdict, CPU s": usage(ours.pid).cpu_s,
        }
        figures |= price(ours, rounds) | cold(ours) | agreement(ours, fresh)
        figures["memory after all, MiB"] = ours.memory_mb()
    finally:
        ours.close()
    return figures | asyncio.run(throughput(rounds))


def table(figures: Figures) -> Iterable[str]:
    """One line a figure."""
    return (f"{name:<32} {value:10.2f}\n" for name, value in figures.items())


def main() -> None:
    """Measure and print a table, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="one round, two fresh processes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fresh", type=int, default=12)
    options = parser.parse_args()
    rounds, fresh = (1, 2) if options.quick else (options.rounds, options.fresh)
    figures = measure(rounds, fresh)
    if options.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        sys.stdout.writelines(table(figures))


if __name__ == "__main__":
    main()
