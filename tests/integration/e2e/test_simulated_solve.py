"""The command line on the real bus with real processes; only Lean and the index are simulated."""

import json
import signal
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from suites.simulated_house import ROLES, House, kill, outcomes, wait_for
from suites.worker_processes import children

pytestmark = [pytest.mark.connected, pytest.mark.timeout(180)]

GOLDEN = Path(__file__).parents[2] / "golden" / "runs"
STATEMENTS = ("True", "1 = 2", "(0 : ℝ) = 0", "True ∧ True", "2 = 3", "True ∨ False")
EXPECTED = {
    "p1": "solved",
    "p2": "not_proved",
    "p3": "refused",
    "p4": "solved",
    "p5": "not_proved",
    "p6": "solved",
}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def solve(house: House, file: Path, *more: str) -> subprocess.CompletedProcess[bytes]:
    return house.run("solve", str(file), *house.config, "--json", *more)


def exported(house: House, name: str = "run.jsonl") -> Path:
    target = house.root / name
    done = house.run("trace", "export", "-o", str(target))
    assert done.returncode == 0, done.stderr.decode()
    return target


def kinds(trace: Path) -> Counter[str]:
    """Number of events by type."""
    return Counter(event["type"] for event in events(trace))


def events(trace: Path) -> list[dict[str, Any]]:
    """The events of a trace; its closing line is none."""
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [line.get("end") for line in lines[-1:]] == [True]
    return [line["event"] for line in lines[:-1]]


def state(house: House, trace: Path) -> bytes:
    """The state hash."""
    return house.run("trace", "hash", str(trace)).stdout


def faults(house: House, trace: Path) -> list[Any]:
    checked = house.run("trace", "verify", "--json", str(trace))
    found: list[Any] = json.loads(checked.stdout)["faults"]
    assert checked.returncode == (1 if found else 0)
    return found


def test_solve_then_report_trace_and_import(house: House) -> None:
    file = house.problems(*STATEMENTS)
    with file.open("ab") as stream:
        stream.write(b'{"name": "broken", \n{"name": "caf\xe9"}\n')
    done = solve(house, file, "--scale", "verifier=2")
    assert done.returncode == 1, done.stderr.decode()
    report = json.loads(done.stdout)
    assert outcomes(report) == {**EXPECTED, "line 7": "refused", "line 8": "refused"}
    assert [p["reason"] for p in report["problems"][-2:]] == ["bad_json", "not_utf8"]
    assert {p["name"] for p in report["problems"] if (p["recheck"] or {}).get("accepted")} == {
        "p1",
        "p4",
        "p6",
    }
    assert b"Traceback" not in done.stderr

    again = house.run("report", "--json")
    assert again.returncode == 1
    assert outcomes(json.loads(again.stdout)) == outcomes(report)

    trace = exported(house)
    assert faults(house, trace) == []
    copy = House(house.root / "copy")
    imported = copy.run("trace", "import", str(trace))
    assert imported.returncode == 0, imported.stderr.decode()
    assert b" 0 were there already" in imported.stdout
    assert outcomes(json.loads(copy.run("report", "--json").stdout)) == outcomes(report)
    assert events(exported(copy)) == events(trace)
    assert report["state_hash"] == ""
    assert json.loads(again.stdout)["state_hash"].encode() == state(house, trace).strip()


def test_kill_of_every_worker_and_of_the_server_changes_no_verdict(tmp_path: Path) -> None:
    calm, wild = House(tmp_path / "calm"), House(tmp_path / "wild", work_s=0.15)
    assert solve(calm, calm.problems(*STATEMENTS)).returncode == 1
    undisturbed = kinds(exported(calm))

    file = wild.problems(*STATEMENTS)
    running = wild.start("solve", str(file), *wild.config, "--json")
    assert running.stderr is not None
    first = running.stderr.readline()
    assert first.startswith(b"run ")
    for victim in (*ROLES, "intake", "nats-server"):
        pid = wait_for(lambda victim=victim: children(running).get(victim))
        kill([pid])
        if victim in {"verifier", "planner"}:
            running.stderr.readline()
    stdout, stderr = running.communicate(timeout=150)
    assert running.returncode == 1, stderr.decode()
    assert outcomes(json.loads(stdout)) == EXPECTED
    trace = exported(wild)
    assert faults(wild, trace) == []
    assert kinds(trace) == undisturbed
    assert state(wild, trace) == state(calm, calm.root / "run.jsonl") != b""


def test_two_verifiers_share_the_work_and_the_report_shows_it(tmp_path: Path) -> None:
    house = House(tmp_path, work_s=0.1)
    file = house.problems(*["True"] * 12)
    done = solve(house, file, "--scale", "verifier=2")
    assert done.returncode == 0, done.stderr.decode()
    workers = json.loads(done.stdout)["workers"]
    verifiers = [w for w in workers if w["source"].startswith("verifier/")]
    assert len(verifiers) == 2
    assert sum(w["events"].get("verdict_issued", 0) for w in verifiers) == 24
    assert all(w["total"] for w in verifiers)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_is_finished_by_resume(tmp_path: Path, number: signal.Signals) -> None:
    house = House(tmp_path, work_s=0.3)
    running = house.start("solve", str(house.problems(*STATEMENTS)), *house.config, "--json")
    assert running.stderr is not None
    running.stderr.readline()
    running.stderr.readline()  # the first problem has ended
    processes = list(children(running).values())
    running.send_signal(number)
    _, stderr = running.communicate(timeout=60)
    if number is signal.SIGINT:
        assert running.returncode == 130
        assert b"solve --resume r" in stderr
        assert b"Traceback" not in stderr
    wait_for(lambda: not any(psutil.pid_exists(pid) for pid in processes))

    resumed = house.run("solve", "--resume", "--json")
    assert resumed.returncode == 1, resumed.stderr.decode()
    assert outcomes(json.loads(resumed.stdout)) == EXPECTED
    trace = exported(house)
    assert faults(house, trace) == []
    assert kinds(trace)["ragsolver.run_started.v1"] == 1
    assert kinds(trace)["ragsolver.problem_submitted.v1"] == len(STATEMENTS)
    nothing = house.run("solve", "--resume")
    assert nothing.returncode == 2
    assert b"no unfinished run" in nothing.stderr


def test_up_submit_watch_cancel(house: House) -> None:
    running = house.start("up", *house.config)
    try:
        assert running.stderr is not None
        assert running.stderr.readline().startswith(b"NATS at ")
        line = b'{"name": "one", "formal_statement": "theorem one : True"}\n'
        posted = house.run("submit", "-", stdin=line + b"nonsense\n")
        assert posted.returncode == 1
        assert posted.stdout.splitlines()[0] == b"accepted one: inbox/one"
        assert b"bad_json" in posted.stdout
        wait_for(lambda: outcomes(_inbox(house)).get("one") == "solved")
        cancelled = house.run("cancel", "inbox")
        assert cancelled.returncode == 1
        assert b"nothing was open" in cancelled.stderr
        detail = house.run("report", "inbox", "--problem", "one")
        assert b"theorem one : True" in detail.stdout
    finally:
        running.send_signal(signal.SIGTERM)
        _, stderr = running.communicate(timeout=60)
    assert stderr.decode().endswith("stopped\n")
    assert house.run("submit", "-", stdin=line).returncode == 3


def _inbox(house: House) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(house.run("report", "inbox", "--json").stdout)
    return found


def test_errors_are_one_message_and_an_exit_code(house: House) -> None:
    empty = house.root / "empty.jsonl"
    empty.write_text("\n")
    for arguments, code, said in (
        (("solve", *house.config), 2, "name a problem file"),
        (("solve", str(house.root / "none.jsonl"), *house.config), 2, "cannot be read"),
        (("solve", str(empty), *house.config), 2, "has no problem"),
        (("solve", str(empty), *house.config, "--set", "budget.no=1"), 2, "budget.no"),
        (("report",), 3, "no run was ever made"),
        (("worker", "poet", "--nats", "nats://127.0.0.1:1"), 2, "no worker role 'poet'"),
        (("report", "--nats", "nats://127.0.0.1:1"), 3, "no NATS server answers"),
    ):
        done = house.run(*arguments)
        assert (done.returncode, said in done.stderr.decode()) == (code, True), done.stderr
        assert b"Traceback" not in done.stderr


def test_a_killed_replay_is_resumed_and_does_no_work(tmp_path: Path) -> None:
    house = House(tmp_path, work_s=0.05)
    assert solve(house, house.problems(*STATEMENTS), "--no-recheck").returncode == 1
    trace = exported(house)
    counts = tmp_path / "counts"
    slow = {**house.env, "SIMULATED_COUNTS": str(counts), "SIMULATED_WORK_S": "0.4"}
    house.env = slow
    running = house.start("replay", str(trace), "--json")
    assert running.stderr is not None
    assert b" replays r" in running.stderr.readline()
    running.stderr.readline()  # the first problem has ended
    processes = list(children(running).values())
    running.kill()
    running.communicate(timeout=60)
    wait_for(lambda: not any(psutil.pid_exists(pid) for pid in processes))
    resumed = house.run("replay", str(trace), "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr.decode()
    report = json.loads(resumed.stdout)
    assert report["same"]
    assert report["new_state"].encode() == state(house, trace).strip()
    assert report["spent"]["live"]["lean_checks"] == 0
    assert not counts.exists()
    assert faults(house, exported(house, "replay.jsonl")) == []


def test_a_replay_under_another_configuration_says_where_it_parts(tmp_path: Path) -> None:
    house = House(tmp_path)
    assert solve(house, house.problems("True", "1 = 2"), "--no-recheck").returncode == 1
    trace = exported(house)
    done = house.run("replay", str(trace), "--set", "retrieval.enabled=false")
    assert done.returncode == 1, done.stderr.decode()
    assert b"retrieval.enabled: touches retrieval" in done.stdout
    assert b"2 of 2 problems parted" in done.stdout
    other = exported(house, "other.jsonl")
    told = json.loads(house.run("trace", "diff", str(trace), str(other), "--json").stdout)
    assert [p["cause"] for p in told["problems"]] == ["retrieval", "retrieval"]
    same = house.run("trace", "diff", str(trace), str(trace))
    assert (same.returncode, same.stdout) == (0, b"nothing differs\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("replay", "{problems}"), b"line 1: "),
        (("replay", "{gone}"), b"does not exist"),
        (("replay", "{trace}", "--config", "nonsense"), b"no run configuration 'nonsense'"),
        (("trace", "diff", "{trace}", "r9"), b"no run 'r9' on this bus"),
        (("trace", "hash", "{problems}"), b"line 1: "),
    ],
)
def test_what_cannot_be_replayed_is_told_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], said: bytes
) -> None:
    house = House(tmp_path)
    places = {
        "problems": house.problems("True"),
        "gone": tmp_path / "gone.jsonl",
        "trace": tmp_path / "run.jsonl",
    }
    places["trace"].write_bytes((GOLDEN / "v2.jsonl").read_bytes())
    assert house.run("trace", "import", str(places["trace"])).returncode == 0
    done = house.run(*(part.format_map(places) for part in arguments))
    assert done.returncode in {2, 3}
    assert said in done.stderr
    assert b"Traceback" not in done.stderr
