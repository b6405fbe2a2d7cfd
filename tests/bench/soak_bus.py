"""Small runs whose workers and server are killed at every stage: `soak_bus.py --help`.

Worker processes of the command line on a real nats-server; Lean and the index are simulated, and
a shipped model that costs nothing is asked. After each run the stream must say that every problem
ended once, that nothing acknowledged is lost, nothing is there twice and no call was paid twice.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from suites.soak_plan import VICTIMS, plan
from suites.soaked_bus import Soaked, one_server, opened
from suites.soaked_cluster import three_servers

_PER_BUS = 25
"""Runs on one bus; then it gets a new one."""


async def soak(runs: int, seed: int, *, clustered: bool, each: int = _PER_BUS) -> Soaked:
    """All runs, on one bus after the other."""
    serve = three_servers if clustered else one_server
    soaked, planned = Soaked(), plan(runs, seed)
    for first in range(0, runs, each):
        with tempfile.TemporaryDirectory(prefix="ragsolver-soak-") as folder:
            async with serve(Path(folder)) as servers, opened(Path(folder), servers) as soaking:
                soaking.soaked = soaked
                await soaking.calm_run(f"calm{first}")
                for number, strikes in enumerate(planned[first : first + each], start=first):
                    found = await soaking.run(f"soak{number}", strikes)
                    _say(found.wrong, number, runs, soaked.seconds[-1])
    return soaked


def _say(wrong: list[str], number: int, runs: int, seconds: float) -> None:
    said = "; ".join(wrong) or "ok"
    sys.stderr.write(f"[{number + 1}/{runs}] {seconds:.1f} s: {said}\n")


def figures(soaked: Soaked) -> dict[str, float]:
    """What all runs came to, as numbers."""
    found = soaked.found
    by = Counter[str]()
    for (_, victim), count in soaked.strikes.items():
        by[victim] += count
    return {
        "runs": len(soaked.seconds),
        "kills of workers": by.total() - by["server"] - by["paused"] - by["consumer"],
        "kills of the server": by["server"],
        "pauses of the server": by["paused"],
        "consumers deleted": by["consumer"],
        "events": sum(item.events for item in found),
        "calls of the model": sum(item.calls for item in found),
        "of these lost": sum(item.lost_calls for item in found),
        "seconds a run": round(sum(soaked.seconds) / max(len(soaked.seconds), 1), 1),
        "events lost": sum(len(item.lost) for item in found),
        "events doubled": sum(len(item.doubled) for item in found),
        "calls paid twice": sum(len(item.paid_twice) for item in found),
        "problems not ended": sum(len(item.not_ended) for item in found),
        "other faults": sum(len(item.faults) for item in found),
    }


def table(strikes: Counter[tuple[str, str]]) -> str:
    """Strikes by stage and victim."""
    victims = sorted({victim for _, victim in strikes})
    lines = ["strikes after".ljust(20) + "".join(victim.rjust(12) for victim in victims)]
    for stage in VICTIMS:
        counts = "".join(str(strikes[stage, victim] or "").rjust(12) for victim in victims)
        lines.append(stage.ljust(20) + counts)
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="numbers for machines")
    parser.add_argument("--cluster", action="store_true", help="three servers, three copies")
    given = parser.parse_args()
    result = asyncio.run(soak(given.runs, given.seed, clustered=given.cluster))
    numbers = figures(result)
    if given.json:
        strikes = {f"{stage}/{victim}": n for (stage, victim), n in result.strikes.items()}
        sys.stdout.write(json.dumps(numbers | {"strikes": strikes, "wrong": result.wrong}) + "\n")
    else:
        lines = [f"{name.ljust(22)}{value:>8}" for name, value in numbers.items()]
        lines += [f"WRONG: {said}" for said in result.wrong[:50]]
        sys.stdout.write("\n".join([table(result.strikes), "", *lines]) + "\n")
    sys.exit(bool(result.wrong))
