"""Throughput against replicas of the slow worker, and what back-pressure does to a long run.

Real processes on a real server; work is sleep, so that it costs no processor and what is left is
the house itself. Run from the top folder: `.venv/bin/python tests/bench/bench_scale.py`. Figures
are of one machine and hold as ratios to the first row, taken in the same run.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from suites.fleet import Fleet, fleet

OTHERS = {"planner": 1, "retriever": 1, "generator": 1, "formalizer": 1, "critic": 1}
WORK_S = 0.25
"""Of one delivery of the slow worker, which has two for each problem."""
FULL = 0.85
"""Of what could be used, from which on something counts as used up."""
SLOW = ("verifier", "generator")


async def throughput(replicas: int, others: int, per_replica: int) -> dict[str, Any]:
    """Problems per second with so many verifiers, and what was busy meanwhile."""
    counts = {**dict.fromkeys(OTHERS, others), "verifier": replicas}
    total = max(24, per_replica * replicas)
    with tempfile.TemporaryDirectory(prefix="ragsolver-scale-") as folder:
        async with fleet(Path(folder), counts, {"verifier": WORK_S}) as ships:
            posting = asyncio.create_task(ships.post(total))
            first, last = total // 6, total - total // 6
            await ships.until_ended(first, 300)
            began, before, host = time.monotonic(), ships.processor_s(), psutil.cpu_times()
            await ships.until_ended(last, 300)
            took, after, host_after = (
                time.monotonic() - began,
                ships.processor_s(),
                psutil.cpu_times(),
            )
            await posting
            done = sum(1 for at in ships.ended if began <= at <= began + took)
    busy = {
        name: [(b - a) / took for a, b in zip(before[name], after[name], strict=True)]
        for name in before
    }
    return _row(replicas, others, done / took, busy, _host_busy(host, host_after))


def _host_busy(before: Any, after: Any) -> float:
    """Part of all processors that was busy, with everything else that ran there."""
    idle = after.idle + after.iowait - before.idle - before.iowait
    return 1 - idle / (sum(after[:8]) - sum(before[:8]))


def _row(
    replicas: int, others: int, rate: float, busy: dict[str, list[float]], host: float
) -> dict[str, Any]:
    used = sum(map(sum, busy.values()))
    asleep = rate * 2 * WORK_S / replicas
    hottest, at = max((max(each), name) for name, each in busy.items())
    if asleep >= FULL:
        why = "the replicas: all of them work all the time"
    elif host >= FULL:
        why = f"this host: {used:.1f} cores of its {psutil.cpu_count()}, the rest is others'"
    elif hottest >= FULL:
        why = f"one process of {at}"
    else:
        why = "waiting for one another"
    return {
        "replicas": replicas,
        "others": others,
        "per_second": rate,
        "at_work": asleep,
        "cores": used,
        "cores_server": sum(busy["server"]),
        "cores_verifiers": sum(busy["verifier"]),
        "busiest": f"{at} {hottest:.2f}",
        "host": host,
        "limit": why,
        "ms_each": used / rate * 1000,
        "ends_at": _ends_at(rate, busy, psutil.cpu_count() or 1),
    }


def _ends_at(rate: float, busy: dict[str, list[float]], processors: int) -> dict[str, float]:
    """Problems per second at which something is used up: a process can use one core.

    From processor time alone, which hardly depends on what else the host does.
    """
    found = {
        f"{len(each)} {name}" if len(each) > 1 else f"one {name}": rate * len(each) / sum(each)
        for name, each in busy.items()
        if name not in {"verifier", "server"} and sum(each)
    }
    found[f"{processors} cores for all"] = rate * processors / sum(map(sum, busy.values()))
    found["one core for the server"] = rate / sum(busy["server"])
    return dict(sorted(found.items(), key=lambda item: item[1]))


async def pressure(slow: str, problems: int, *, one_queue: bool) -> dict[str, Any]:
    """A run with one slow worker: the longest backlog of each durable, and when results come."""
    counts = {**OTHERS, "verifier": 1}
    work = {slow: WORK_S / 5}
    real = {"verifier": "suites.simulated_workers:VERIFIER_OF_ONE_QUEUE"} if one_queue else {}
    flags = ("--set", "bus.waiting_most=32", "--set", "bus.waiting_fewest=16")
    peaks: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="ragsolver-scale-") as folder:
        async with fleet(Path(folder), counts, work, real=real, flags=flags) as ships:
            watching = asyncio.create_task(_watch(ships, peaks))
            began = time.monotonic()
            posting = asyncio.create_task(ships.post(problems))
            await ships.until_ended(problems, 600)
            await posting
            watching.cancel()
            ended = sorted(at - began for at in ships.ended)
    return {
        "slow": slow,
        "queue": "one" if one_queue else "two",
        "problems": problems,
        "first_s": ended[0],
        "median_s": statistics.median(ended),
        "last_s": ended[-1],
        "peaks": dict(sorted(peaks.items())),
    }


async def _watch(ships: Fleet, peaks: dict[str, int]) -> None:
    while True:
        for name, waiting in (await ships.backlogs()).items():
            peaks[name] = max(peaks.get(name, 0), waiting)
        await asyncio.sleep(0.05)


def throughput_table(rows: list[dict[str, Any]]) -> str:
    """For people."""
    base = rows[0]["per_second"]
    lines = [
        f"verifiers that sleep {WORK_S:g} s for a delivery, two deliveries a problem; ratios to "
        f"{rows[0]['replicas']} replica of this run",
        f"{'replicas':>9}{'others':>7}{'problems/s':>11}{'ratio':>7}{'at work':>8}"
        f"{'cores: all':>11}{'server':>7}{'ms each':>8}{'busiest process':>20}{'host':>6}  limit",
    ]
    lines += [
        f"{row['replicas']:>9}{row['others']:>7}{row['per_second']:>11.2f}"
        f"{row['per_second'] / base:>7.1f}{row['at_work']:>8.0%}{row['cores']:>11.2f}"
        f"{row['cores_server']:>7.2f}{row['ms_each']:>8.0f}{row['busiest']:>20}{row['host']:>6.0%}"
        f"  {row['limit']}"
        for row in rows
    ]
    fastest = max(rows, key=lambda row: row["per_second"])
    ends = ", ".join(f"{what} {rate:.0f}" for what, rate in fastest["ends_at"].items())
    lines.append(
        f"at {fastest['replicas']} replicas; by processor time, problems/s end for: {ends}"
    )
    return "\n".join(lines)


def pressure_table(rows: list[dict[str, Any]]) -> str:
    """For people."""
    lines = [
        "one slow worker, first come first served (one queue) and new problems held back (two):",
        f"{'slow':>10}{'queues':>7}{'first s':>9}{'median s':>9}{'last s':>8}  longest backlogs",
    ]
    for row in rows:
        peaks = ", ".join(f"{name} {count}" for name, count in row["peaks"].items() if count > 9)
        lines.append(
            f"{row['slow']:>10}{row['queue']:>7}{row['first_s']:>9.2f}{row['median_s']:>9.2f}"
            f"{row['last_s']:>8.2f}  {peaks}"
        )
    return "\n".join(lines)


async def measure(replicas: list[int], per_replica: int, problems: int) -> dict[str, Any]:
    """Everything, one after the other."""
    rows = [await throughput(number, 1, per_replica) for number in replicas]
    if len(replicas) > 1:
        rows.append(await throughput(replicas[-1], 2, per_replica))
    pressed = [
        await pressure(slow, problems, one_queue=one) for slow in SLOW for one in (True, False)
    ]
    return {"throughput": rows, "pressure": pressed}


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="few replicas, few problems")
    options = parser.parse_args()
    replicas = [1, 2] if options.quick else [1, 2, 4, 8, 16, 32]
    found = asyncio.run(measure(replicas, 12, 40 if options.quick else 300))
    if options.json:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    tables = (throughput_table(found["throughput"]), pressure_table(found["pressure"]))
    sys.stdout.write("\n\n".join(tables) + "\n")


if __name__ == "__main__":
    main()
