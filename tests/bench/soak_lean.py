"""Ten thousand checks in one worker: memory, restarts and the header cache.

    python tests/bench/soak_lean.py [--json] [--checks N] [--sessions N] [--recycle N]
                                    [--kill-every N]

Proofs that hold and proofs that fail, under several headers, in batches; now and then a session is
killed. Memory is resident MiB: of the largest Lean process, and of this process. It ends with
exit code 1 when a check has no verdict or the wrong one, or when this process or a Lean process
has grown by more than a tenth between the second thousand and the last.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass

import psutil

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Verdict, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.batch import Asked, Judged
from ragsolver_verifier.check import Question
from ragsolver_verifier.checker import Checker
from ragsolver_verifier.handler import open_checker
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.tally import PoolTally

CORE = compatibility_header("", frozenset())
HEADERS = (CORE, f"{CORE}\nopen Nat", "import Std", "import Std\nopen Nat Int", "open List")
SMALL = (
    ("theorem pos (n : Nat) (h : 0 < n) : n ≠ 0", "by omega"),
    ("theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p", "⟨h.2, h.1⟩"),
    ("theorem power : 2 ^ 10 % 7 = 2", "by decide"),
    ("theorem zero (n : Nat) : n + 0 = n", "by simp"),
    ("theorem turn (a b : Int) : a * b = b * a", "Int.mul_comm a b"),
    ("theorem sum (a b c : Nat) : a + b + c = c + b + a", "by omega"),
)
WRONG = ("by rfl_", "sorry", "by exact nonsense", "by have h : 1 = 2 := by decide; omega")
LIMITS = CheckLimits(timeout_s=120.0)
THOUSAND = 1_000
GROWTH = 1.1
MIB = 1024**2
SMALLEST_MB = 300
"""A Lean process has more; what starts it and sandboxes it has less."""


@dataclass(frozen=True)
class Sample:
    """Memory after so many checks."""

    checks: int
    lean_mb: float
    own_mb: float
    seconds: float


class Soak:
    """One worker's checker under a long load."""

    def __init__(self, checker: Checker, kill_every: int) -> None:
        self.samples: list[Sample] = []
        self.wrong = 0
        self.tally = PoolTally()
        self._checker = checker
        self._kill_every = kill_every
        self._own = psutil.Process()
        self._random = random.Random(0)
        self._checks = 0

    async def run(self, checks: int, at_once: int) -> None:
        """Judge so many candidates, in batches, `at_once` of them side by side."""
        began = time.monotonic()
        for thousand in range(1, checks // THOUSAND + 1):
            await asyncio.gather(*(self._until(thousand * THOUSAND) for _ in range(at_once)))
            lean_mb = max(self._lean().values(), default=0.0)
            own_mb = self._own.memory_info().rss / MIB
            seconds = time.monotonic() - began
            self.samples.append(Sample(self._checks, lean_mb, own_mb, seconds))
            sys.stderr.write(f"{self.samples[-1]}  {self._checker.tally}\n")

    async def _until(self, checks: int) -> None:
        while self._checks < checks:
            size = self._random.randint(1, 16)
            if self._checks // self._kill_every < (self._checks + size) // self._kill_every:
                os.kill(self._random.choice(sorted(self._lean())), signal.SIGKILL)
            self._checks += size
            self.wrong += await self._batch(size)

    async def _batch(self, size: int) -> int:
        header = self._random.choice(HEADERS)
        text, proof = self._random.choice(SMALL)
        statement = await self._checker.state(header, text)
        proofs = [self._random.choice((proof, *WRONG)) for _ in range(size)]
        asked = [Asked(Question(statement), Candidate(item), LIMITS) for item in proofs]
        judged = await self._checker.judge(asked, stop_at_first=False)
        pairs = zip(proofs, judged, strict=True)
        return sum(not _right(item == proof, said) for item, said in pairs)

    def _lean(self) -> dict[int, float]:
        """Resident MiB of the Lean processes below this one, by process id."""
        sizes = {}
        for child in self._own.children(recursive=True):
            with suppress(psutil.Error):
                if child.memory_info().rss > SMALLEST_MB * MIB:
                    sizes[child.pid] = child.memory_info().rss / MIB
        return sizes

    def growth(self) -> float:
        """The larger ratio of the last sample to the second, of Lean and of this process."""
        first, last = self.samples[min(1, len(self.samples) - 1)], self.samples[-1]
        return max(last.lean_mb / first.lean_mb, last.own_mb / first.own_mb)


def _right(holds: bool, said: Judged) -> bool:
    return isinstance(said, Verdict) and (said.status is VerdictStatus.ACCEPTED) is holds


async def soak(options: argparse.Namespace) -> Soak:
    """The whole load on one worker's checker."""
    settings = VerifierSettings(sessions=options.sessions, recycle_checks=options.recycle)
    async with open_checker(settings) as checker:
        done = Soak(checker, options.kill_every)
        await done.run(options.checks, options.sessions)
        done.tally = checker.tally
        return done


def main() -> None:
    """Run it and print memory at every thousand checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--checks", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=1)
    parser.add_argument("--recycle", type=int, default=VerifierSettings().recycle_checks)
    parser.add_argument("--kill-every", type=int, default=2_500)
    options = parser.parse_args()
    done = asyncio.run(soak(options))
    sys.stdout.write(_as_json(done) if options.json else _as_table(done))
    sys.exit(1 if done.wrong or done.growth() > GROWTH else 0)


def _as_json(done: Soak) -> str:
    figures = {
        "samples": [asdict(sample) for sample in done.samples],
        "tally": asdict(done.tally),
        "header_hit_rate": done.tally.header_hit_rate,
        "wrong": done.wrong,
        "growth": done.growth(),
    }
    return json.dumps(figures) + "\n"


def _as_table(done: Soak) -> str:
    lines = ["checks   Lean MiB   own MiB   seconds"]
    lines += [
        f"{item.checks:>6} {item.lean_mb:>10.0f} {item.own_mb:>9.0f} {item.seconds:>9.0f}"
        for item in done.samples
    ]
    lines.append(str(done.tally))
    lines.append(f"judged wrongly or not at all: {done.wrong}; growth {done.growth():.2f}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
