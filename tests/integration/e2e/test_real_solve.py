"""The whole product on real parts: nats-server, Lean, LanceDB, encoder, six worker processes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ragsolver_runtime.doctor import examine
from suites.simulated_house import ROLES, kill, outcomes, wait_for
from suites.worker_processes import children

pytestmark = [pytest.mark.connected, pytest.mark.timeout(900)]

PROBLEMS = (
    ("easy", "theorem easy (n : Nat) : n + n = 2 * n"),
    ("untrue", "theorem untrue (n : Nat) : n < 5"),
    ("by_lemma", "theorem by_lemma (k m n : Nat) (hc : Nat.Coprime k n) (hd : k ∣ m * n) : k ∣ m"),
    ("real", "theorem real (x : ℝ) : x + 0 = x"),
)
EXPECTED = {
    "easy": "solved",
    "untrue": "statement_false",
    "by_lemma": "solved",
    "real": "refused",
    "line 5": "refused",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    missing = [f"{f.name} ({f.fix})" for f in examine() if not f.good]
    if missing:
        pytest.skip(f"not here: {', '.join(missing)}")
    made = tmp_path_factory.mktemp("real")
    lines = [
        json.dumps(
            {
                "name": name,
                "formal_statement": f"{statement} := by sorry",
                "header": "import Mathlib" if "ℝ" in statement else "",
            }
        )
        for name, statement in PROBLEMS
    ]
    (made / "problems.jsonl").write_text("\n".join([*lines, '{"name": "cut']) + "\n")
    return made


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ragsolver_runtime.cli", *arguments]


def run(folder: Path, *arguments: str, data: str = "data") -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "RAGSOLVER_DATA": str(folder / data)}
    return subprocess.run(command(*arguments), env=env, capture_output=True, timeout=600)


def test_kills_change_no_verdict_and_the_trace_is_the_run(folder: Path) -> None:
    file = str(folder / "problems.jsonl")
    env = {**os.environ, "RAGSOLVER_DATA": str(folder / "data")}
    running = subprocess.Popen(
        command("solve", file, "--json", "--scale", "verifier=2"),
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert running.stderr is not None
    running.stderr.readline()
    running.stderr.readline()  # the broken line is refused
    running.stderr.readline()  # Lean has judged: the run is in the middle
    for victim in (*ROLES, "nats-server"):
        kill([wait_for(lambda victim=victim: children(running).get(victim))])
    stdout, stderr = running.communicate(timeout=600)
    assert running.returncode == 1, stderr.decode()
    report = json.loads(stdout)
    assert outcomes(report) == EXPECTED
    assert b"Traceback" not in stderr
    _proofs_hold(report)
    _trace_is_the_run(folder, report)


def _proofs_hold(report: dict[str, Any]) -> None:
    by_name = {p["name"]: p for p in report["problems"]}
    for name in ("easy", "untrue", "by_lemma"):
        assert by_name[name]["recheck"]["accepted"]
        proof = by_name[name]["report"]["proof"]
        assert "sorry" not in proof["source"]
        assert set(proof["axioms"]) <= {"propext", "Classical.choice", "Quot.sound"}
    cited = by_name["by_lemma"]["report"]["citations"]["used_in_proof"]
    assert "Nat.Coprime.dvd_of_dvd_mul_right" in {c["label"] for c in cited}
    assert by_name["real"]["reason"] == "needs_mathlib"
    assert by_name["line 5"]["reason"] == "bad_json"


def _trace_is_the_run(folder: Path, report: dict[str, Any]) -> None:
    trace = folder / "run.jsonl"
    assert run(folder, "trace", "export", "-o", str(trace)).returncode == 0
    *lines, _closing = trace.read_text().splitlines()
    ids = [json.loads(line)["event"]["id"] for line in lines]
    assert len(ids) == len(set(ids))
    assert run(folder, "trace", "import", str(trace), data="copy").returncode == 0
    copied = json.loads(run(folder, "report", "--json", data="copy").stdout)
    assert outcomes(copied) == outcomes(report)
    verified = run(folder, "trace", "verify", "--json", str(trace))
    found = json.loads(verified.stdout)
    assert found["faults"] == []
    assert (found["proofs"], found["proofs_accepted_again"]) == (3, 3)
