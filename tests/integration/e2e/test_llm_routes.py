"""A model behind the Messages API takes problems through every route; Lean judges every proof.

The server is the project's own and answers from `tests/golden/llm/script.jsonl`; all else is the
real thing: SDK, nats-server, Lean, LanceDB, encoder and the six worker processes.
"""

import json
import os
import re
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ragsolver_runtime.doctor import examine
from suites.messages_server import __file__ as server_file

pytestmark = [pytest.mark.connected, pytest.mark.timeout(600)]

GOLDEN = Path(__file__).parents[2] / "golden" / "llm"
EXPECTED: dict[str, dict[str, Any]] = json.loads((GOLDEN / "expected.json").read_text())
CANCELLED = "two_squares_prime"
KEY = "sk-never-to-be-seen-5f2a"


@dataclass
class Ended:
    """A run that is over."""

    report: dict[str, Any]
    events: list[dict[str, Any]]
    verified: dict[str, Any]
    served: dict[str, int]
    folder: Path

    def problem(self, name: str) -> dict[str, Any]:
        return next(item for item in self.report["problems"] if item["name"] == name)

    def said(self, name: str, kind: str, *, family: bool = False) -> list[dict[str, Any]]:
        """Data of the events of one kind, in order; of child problems too where asked."""
        found = []
        for event in self.events:
            problem = event["subject"].rpartition("/")[2]
            theirs = problem == name or (family and problem.startswith(f"{name}."))
            if theirs and event["type"] == f"ragsolver.{kind}.v1":
                found.append(event["data"])
        return found

    def routes(self, name: str) -> list[str]:
        """Routes after the model's attempts."""
        sketched = {item["attempt"] for item in self.said(name, "proof_sketched")}
        told = self.said(name, "attempt_critiqued")
        return [item["route"] for item in told if item["attempt"] in sketched - {1}]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ragsolver_runtime.cli", *arguments]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    missing = [f"{f.name} ({f.fix})" for f in examine() if f.state == "missing"]
    if missing:
        pytest.skip(f"not here: {', '.join(missing)}")
    folder = tmp_path_factory.mktemp("routes")
    env = {**os.environ, "RAGSOLVER_DATA": str(folder / "data"), "ANTHROPIC_API_KEY": KEY}
    with _server() as url:
        report = _solved(env, url)
        with urllib.request.urlopen(f"{url}/counts", timeout=10) as reply:  # noqa: S310 - ours
            served = json.load(reply)["calls"]
    trace = folder / "run.jsonl"
    subprocess.run(command("trace", "export", "-o", str(trace)), env=env, check=True, timeout=120)
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    checked = subprocess.run(
        command("trace", "verify", "--json", str(trace)), env=env, capture_output=True, timeout=300
    )
    events = [line["event"] for line in lines if "event" in line]
    return Ended(report, events, json.loads(checked.stdout), served, folder)


@contextmanager
def _server() -> Iterator[str]:
    arguments = [sys.executable, server_file, "--script", str(GOLDEN / "script.jsonl")]
    with subprocess.Popen(
        [*arguments, "--key", KEY], stdout=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stdout is not None
        try:
            yield serving.stdout.readline().strip()
        finally:
            serving.terminate()


def _solved(env: dict[str, str], url: str) -> dict[str, Any]:
    """The report; one problem is cancelled when most of the others have ended."""
    solving = subprocess.Popen(
        command(
            *("solve", str(GOLDEN / "problems.jsonl"), "--json", "--no-recheck"),
            *("--config", str(GOLDEN / "run.toml"), "--set", f"model.base_url={url}"),
            *("--set", "verifier.sessions=1"),
        ),
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said: list[str] = []
    reading = threading.Thread(target=_cancel_in_the_middle, args=(solving, env, said))
    reading.start()
    assert solving.stdout is not None
    assert solving.stderr is not None
    try:
        report = solving.stdout.read()
        solving.wait(timeout=500)
    finally:
        solving.kill()
        reading.join(timeout=60)
        solving.stdout.close()
        solving.stderr.close()
    assert solving.returncode == 1, "".join(said)
    found: dict[str, Any] = json.loads(report)
    return found


def _cancel_in_the_middle(
    solving: subprocess.Popen[str], env: dict[str, str], said: list[str]
) -> None:
    assert solving.stderr is not None
    run = ""
    for line in solving.stderr:
        said.append(line)
        run = run or "".join(re.findall(r"^run (\S+):", line))
        if line.startswith(f"[{len(EXPECTED) - 1}/"):
            subprocess.run(command("cancel", run, CANCELLED), env=env, check=True, timeout=60)


@pytest.mark.parametrize("name", EXPECTED)
def test_every_problem_takes_its_route_to_its_end(ended: Ended, name: str) -> None:
    expected = EXPECTED[name]
    problem = ended.problem(name)
    assert problem["outcome"] == expected["outcome"], problem["message"]
    if "calls" in expected:
        assert len(ended.said(name, "llm_called")) == expected["calls"]
    assert len(ended.said(name, "llm_called", family=True)) <= 20
    match expected["route"]:
        case "retry" | "re_retrieve" | "replan" as route:
            assert ended.routes(name) == [route]
        case "words":
            judged = ended.said(name, "statement_judged")
            assert [item["faithful"] for item in judged] == expected["statements"]
            assert problem["report"]["machine_written_statement"]
        case "suspect":
            assert "Elkies" in problem["message"]
        case "exhausted":
            assert ended.routes(name)[-1] == "exhausted"
        case "decompose":
            children = ended.said(name, "problem_decomposed", family=True)
            assert len(children) == expected["levels"]
            assert any(c.get("assembled") for c in ended.said(name, "candidate_proposed"))
        case _:
            pass


def test_every_proof_holds_and_no_rule_of_a_trace_is_broken(ended: Ended) -> None:
    solved = [name for name in EXPECTED if EXPECTED[name]["outcome"] == "solved"]
    assert len(solved) >= 15
    assert ended.verified["faults"] == []
    assert ended.verified["proofs_accepted_again"] == ended.verified["proofs"] >= len(solved)
    for name in solved:
        proof = ended.problem(name)["report"]["proof"]
        assert "sorry" not in proof["source"]
        assert set(proof["axioms"]) <= {"propext", "Classical.choice", "Quot.sound"}


def test_a_name_that_does_not_exist_is_looked_up(ended: Ended) -> None:
    for name, missing in {
        "coprime_squares": "Nat.coprime_mul_left_add_right",
        "additive_twist": "Nat.eq_one_of_mul_eq_one",
        "insertion_sort": "List.sorted_cons",
    }.items():
        asked = [item["missing_identifiers"] for item in ended.said(name, "attempt_critiqued")]
        assert [missing] in asked
        found = [item for item in ended.said(name, "evidence_retrieved") if item["attempt"]]
        assert found[0]["result"]["citations"]


def test_the_server_counted_what_is_recorded_and_no_key_is_anywhere(ended: Ended) -> None:
    recorded: Counter[str] = Counter()
    for event in ended.events:
        if event["type"] == "ragsolver.llm_called.v1":
            recorded[f"{event['subject']}/{event['data']['call']}"] += 1
    assert set(recorded.values()) == {1}
    assert set(ended.served.values()) == {1}
    # The call in whose middle the problem was cancelled is served and has no answer to record.
    unfinished = set(ended.served) - set(recorded)
    assert set(recorded) <= set(ended.served)
    assert {name.split("/")[1] for name in unfinished} <= {CANCELLED}
    for file in ended.folder.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file
