"""Who is killed when: a plan that covers every stage, shuffled by a seed."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

VICTIMS = {
    "run_started": "intake",
    "problem_submitted": "verifier",
    "statement_checked": "planner",
    "llm_reserved": "",
    "llm_called": "",
    "problem_planned": "retriever",
    "evidence_retrieved": "generator",
    "proof_sketched": "formalizer",
    "candidate_proposed": "verifier",
    "verdict_issued": "critic",
    "attempt_critiqued": "critic",
    "problem_solved": "critic",
    "problem_failed": "critic",
    "problem_refused": "critic",
}
"""The role that works on an event, or has most to do with its end; empty: its author."""

SERVER, PAUSE, BOTH, AUTHOR, WORKER = "server", "pause", "both", "author", "worker"
CONSUMER = "consumer"
_ONCE = frozenset({"run_started", "attempt_critiqued", "problem_refused"})
_DELAYS_S = (0.0, 0.0, 0.02, 0.05, 0.15)
PAUSES_S = (0.5, 1.5, 4.0)


@dataclass(frozen=True)
class Strike:
    """What happens once an event has appeared."""

    stage: str
    """Name of the event."""
    number: int
    """Which one of the run, from 1."""
    what: str
    """`worker` (who works on it) or `author` is killed, the `server`, `both`; the server hangs
    (`pause`), or the `consumer` of who works on it is deleted."""
    delay_s: float
    pause_s: float = 0.0


def plan(runs: int, seed: int) -> list[tuple[Strike, ...]]:
    """Strikes by run: two at workers, and in every run but each third one at the bus."""
    dice = random.Random(seed)
    at_workers = _endless([WORKER, AUTHOR], dice)
    at_servers = _endless([SERVER, PAUSE, BOTH, CONSUMER], dice)
    return [
        (
            *(_strike(next(at_workers), dice) for _ in range(2)),
            *((_strike(next(at_servers), dice),) if number % 3 else ()),
        )
        for number in range(runs)
    ]


def _endless(kinds: list[str], dice: random.Random) -> Iterator[tuple[str, str]]:
    """Every stage with every kind, again and again, each time in another order."""
    while True:
        every = [(stage, kind) for stage in VICTIMS for kind in kinds]
        dice.shuffle(every)
        yield from every


def _strike(chosen: tuple[str, str], dice: random.Random) -> Strike:
    stage, what = chosen
    number = 1 if stage in _ONCE or stage.startswith("problem_") else dice.randint(1, 2)
    pause_s = dice.choice(PAUSES_S) if what == PAUSE else 0.0
    return Strike(stage, number, what, dice.choice(_DELAYS_S), pause_s)
