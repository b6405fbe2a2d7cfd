"""Many problems over the bus with agents that ask a model, while their processes are killed.

The agents are the real ones and the model is the local Messages API, which counts its requests;
only Lean and the index are simulated: every statement elaborates and nothing is proved, so that
each problem spends its whole budget.
"""

import json
import random
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemPlanned,
    VerdictIssued,
)
from ragsolver_contracts.ids import digest
from ragsolver_contracts.lean import StatementView
from ragsolver_contracts.retrieval import RetrievalRequest, RetrievalResult
from ragsolver_contracts.verdict import Verdict, VerdictReason, VerdictStatus
from ragsolver_rag import decide as retriever
from ragsolver_runtime.testing import scripted_worker
from ragsolver_runtime.worker import WorkerContext
from suites.sample_run import TOOLCHAIN
from suites.simulated_house import House, kill

ASKING = ("planner", "generator", "formalizer", "critic")
"""Roles that ask a model; two processes each."""

REAL = {role: f"ragsolver_agents.{role}.handler:WORKER" for role in ASKING} | {
    "retriever": "suites.llm_load:RETRIEVER",
    "verifier": "suites.llm_load:VERIFIER",
}

CONFIG = """name = "load"
[engines]
planner = "llm"
generator = "llm"
formalizer = "llm"
critic = "llm"
[llm]
portfolio_first = false
attempts = 12
[budget]
attempts = 20
llm_calls = 20
"""


async def verify(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    """Every statement elaborates, no candidate is accepted."""
    match trigger.data:
        case ProblemSubmitted():
            text = (case.problem.formal_statement if case.problem else "") or ""
            view = StatementView(type=text, target="True")
            return [
                StatementChecked(
                    statable=True, statement_digest=digest(text), view=view, toolchain=TOOLCHAIN
                )
            ]
        case CandidateProposed() as proposed:
            verdict = Verdict(
                status=VerdictStatus.REJECTED,
                reason=VerdictReason.ELABORATION_ERROR,
                statement_digest=digest(proposed.text.proof),
                source=proposed.text.proof,
                toolchain=TOOLCHAIN,
                elapsed_ms=1.0,
            )
            return [
                VerdictIssued(
                    attempt=proposed.attempt,
                    candidate=proposed.candidate,
                    verdict=verdict,
                    closes_batch=proposed.closes_batch,
                )
            ]
        case _:
            return []


async def _nothing(request: RetrievalRequest, cited: Any) -> RetrievalResult:
    return RetrievalResult(citations=[])


async def retrieve(context: WorkerContext, case: Case, trigger: AnyEvent) -> Sequence[Payload]:
    """Nothing is found."""
    return await retriever.decide(case, trigger, _nothing)


RETRIEVER = scripted_worker(
    retrieve,
    role="retriever",
    triggers=(ProblemPlanned, AttemptCritiqued),
    emits=(EvidenceRetrieved,),
    wants=retriever.wants,
    concurrency=4,
)
VERIFIER = scripted_worker(
    verify,
    role="verifier",
    triggers=(ProblemSubmitted, CandidateProposed),
    emits=(StatementChecked, VerdictIssued, WorkFailed),
    concurrency=4,
)


@dataclass
class Load:
    """What a loaded run came to."""

    problems: int
    kills: int = 0
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    served: Counter[str] = field(default_factory=Counter)
    """Requests that the server received, by `problem/call`."""
    called: Counter[str] = field(default_factory=Counter)
    """`llm_called` by `problem/call`."""
    lost: int = 0
    cut: int = 0
    """Lost calls whose request the server had received: kills in the middle of a call."""
    most_calls: int = 0
    """Calls of the problem with the most of them."""
    faults: list[Any] = field(default_factory=list)

    def wrong(self) -> list[str]:
        """What contradicts that every request is one recorded call within its budget."""
        said = [f"{name} was served {n} times" for name, n in self.served.items() if n != 1]
        said += [f"{name} was recorded {n} times" for name, n in self.called.items() if n != 1]
        said += [f"{name} was served, not recorded" for name in self.served - self.called]
        silent = (self.called - self.served).total()
        if silent > self.lost:
            said.append(f"{silent} recorded calls reached no server, {self.lost} are lost")
        if self.most_calls > 20:
            said.append(f"a problem made {self.most_calls} calls")
        if self.outcomes.total() != self.problems:
            said.append(f"{self.outcomes.total()} of {self.problems} problems ended")
        return said + [str(fault) for fault in self.faults]


def loaded(
    root: Path,
    problems: int,
    kills: int,
    *,
    seed: int = 1,
    delay_s: float = 0.05,
    every_s: float = 1.0,
    least_s: float = 0.0,
) -> Load:
    """One run of the agents under kills, and what was counted on both sides.

    Args:
        root: a folder for all of it.
        problems: how many.
        kills: how many at most.
        seed: of who is killed and when.
        delay_s: seconds that the server takes for each answer.
        every_s: mean seconds between kills.
        least_s: seconds that a process lives at least; one that is killed within a minute of its
            start, six times in a row, is given up by whoever starts it.
    """
    house = House(root, real=REAL)
    (root / "plain.toml").write_text(CONFIG, encoding="utf-8")
    file = house.problems(*(f"{n} = {n} + 1" for n in range(problems)))
    load, dice, began = Load(problems), random.Random(seed), time.monotonic()
    with _server(delay_s) as url:
        running = house.start("solve", str(file), *house.config, *_options(url))
        output: list[bytes] = []
        try:
            while running.poll() is None:
                if load.kills < kills and _kill_one(running, url, dice, least_s):
                    load.kills += 1
                try:
                    output = list(running.communicate(timeout=every_s * dice.uniform(0.5, 1.5)))
                except subprocess.TimeoutExpired:
                    continue
        finally:
            if running.poll() is None:
                running.terminate()
                running.communicate(timeout=60)
        served = _counts(url)["calls"]
    load.seconds = time.monotonic() - began
    if running.returncode not in {0, 1}:
        raise RuntimeError(output[1].decode())
    load.served = Counter({name.partition("/")[2]: count for name, count in served.items()})
    _read_report(load, json.loads(output[0]))
    _read_trace(load, house)
    return load


def _options(url: str) -> list[str]:
    model = {"provider": "anthropic", "base_url": url, "structured": "tool", "concurrency": 32}
    options = ["--json", "--no-recheck"]
    for role in ASKING:
        options += ["--scale", f"{role}=2"]
    for name, value in model.items():
        options += ["--set", f"model.{name}={value}"]
    return options


@contextmanager
def _server(delay_s: float) -> Iterator[str]:
    program = Path(__file__).with_name("messages_server.py")
    arguments = [sys.executable, str(program), "--delay", str(delay_s)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        try:
            yield serving.stdout.readline().strip()
        finally:
            serving.terminate()


def _counts(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/counts", timeout=10) as reply:  # noqa: S310 - ours
        told: dict[str, Any] = json.load(reply)
    return told


def _kill_one(
    running: subprocess.Popen[bytes], url: str, dice: random.Random, least_s: float
) -> bool:
    """Kill a process that waits for an answer of the model now."""
    waiting = set(_counts(url)["waiting"])
    asking = []
    born_before = time.time() - least_s
    for child in psutil.Process(running.pid).children():
        try:
            ports = {place.laddr.port for place in child.net_connections() if place.laddr}
        except psutil.Error:
            continue
        if ports & waiting and child.create_time() < born_before:
            asking.append(child.pid)
    if not asking:
        return False
    kill([dice.choice(asking)])
    return True


def _read_report(load: Load, report: dict[str, Any]) -> None:
    load.outcomes = Counter(item["outcome"] for item in report["problems"] if item["outcome"])


def _read_trace(load: Load, house: House) -> None:
    trace = house.root / "run.jsonl"
    exported = house.run("trace", "export", "-o", str(trace))
    if exported.returncode != 0:
        raise RuntimeError(exported.stderr.decode())
    calls: Counter[str] = Counter()
    with trace.open(encoding="utf-8") as lines:
        for line in lines:
            event = json.loads(line).get("event")
            if not event or event["type"] != "ragsolver.llm_called.v1":
                continue
            data, problem = event["data"], event["subject"].rpartition("/")[2]
            load.called[f"{problem}/{data['call']}"] += 1
            calls[problem] += 1
            if data["outcome"] == "lost":
                load.lost += 1
                load.cut += f"{problem}/{data['call']}" in load.served
    load.most_calls = max(calls.values(), default=0)
    checked = house.run("trace", "verify", "--json", str(trace))
    load.faults = json.loads(checked.stdout)["faults"]
