import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from ragsolver_contracts.lean import Isolation
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.errors import (
    IsolationError,
    LimitExceededError,
    ProtocolError,
    SessionDiedError,
    SessionStoppedError,
)
from ragsolver_verifier.session import LeanProcess
from suites.fake_repl import fake_program


@pytest.fixture
def session(tmp_path):
    with LeanProcess(fake_program(tmp_path), memory_mb=300) as started:
        yield started


def gone(pid):
    """A kill takes a moment; nothing else ends a process that sleeps for 600 s."""
    for _ in range(1_000):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False


def test_requests_are_answered_and_counted(session):
    assert session.ask({"op": "echo", "nonce": "a"}, timeout_s=20)["nonce"] == "a"
    assert session.ask({"op": "echo", "nonce": "ℕ"}, timeout_s=20)["nonce"] == "ℕ"
    assert session.requests == 2
    assert session.alive
    assert session.memory_mb() > 1


def test_time_runs_out(session):
    pid = session.ask({"op": "echo"}, timeout_s=20)["pid"]
    with pytest.raises(LimitExceededError) as caught:
        session.ask({"op": "sleep"}, timeout_s=0.3)
    assert caught.value.reason is VerdictReason.TIMEOUT
    assert not session.alive
    assert gone(pid)


def test_memory_runs_out(session):
    with pytest.raises(LimitExceededError) as caught:
        session.ask({"op": "grow"}, timeout_s=50)
    assert caught.value.reason is VerdictReason.MEMORY_LIMIT
    assert not session.alive


def test_a_death_is_noticed(session):
    with pytest.raises(SessionDiedError):
        session.ask({"op": "die"}, timeout_s=20)
    with pytest.raises(SessionDiedError):
        session.ask({"op": "echo"}, timeout_s=20)
    assert session.memory_mb() == 0


@pytest.mark.parametrize("op", ["babble", "list", "nest"])
def test_nonsense_ends_the_session(session, op):
    with pytest.raises(ProtocolError):
        session.ask({"op": op}, timeout_s=20)
    assert not session.alive


def test_closing_from_another_thread_ends_the_wait(session):
    session.ask({"op": "echo"}, timeout_s=20)
    caught = []

    def wait():
        try:
            session.ask({"op": "sleep"}, timeout_s=50)
        except SessionStoppedError as error:
            caught.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.2)
    session.close()
    thread.join(timeout=20)
    assert caught
    session.close()


def test_a_program_that_is_not_there(tmp_path):
    program = fake_program(tmp_path)
    program.lake_path.write_text("#!/no/such/shell\n")
    with pytest.raises(SessionDiedError):
        LeanProcess(program, memory_mb=300)


def test_cpu_time_runs_out_whoever_uses_it(session):
    spin = {"op": "child", "code": "while True: pass", "wait": True}
    with pytest.raises(LimitExceededError, match="CPU") as caught:
        session.ask(spin, timeout_s=50, cpu_s=0.3)
    assert caught.value.reason is VerdictReason.TIMEOUT
    assert session.cpu_s > 0.3
    assert not session.alive


def test_cpu_time_is_that_of_this_request(session):
    for _ in range(3):
        session.ask({"op": "child", "code": "sum(range(10**7))", "wait": True}, timeout_s=50)
    before = session.cpu_s
    assert before > 0.1
    session.ask({"op": "echo"}, timeout_s=20, cpu_s=before)
    assert session.alive


def test_memory_of_children_counts(session):
    code = "import time; kept = bytearray(b'x') * 400_000_000; time.sleep(600)"
    with pytest.raises(LimitExceededError) as caught:
        session.ask({"op": "child", "code": code, "wait": True}, timeout_s=50)
    assert caught.value.reason is VerdictReason.MEMORY_LIMIT


@pytest.mark.parametrize("width", [1, 10**6])
def test_output_runs_out(session, width):
    with pytest.raises(LimitExceededError) as caught:
        session.ask({"op": "flood", "width": width}, timeout_s=50, output_mb=2)
    assert caught.value.reason is VerdictReason.OUTPUT_LIMIT
    assert not session.alive


def test_children_of_a_killed_process_end_too(session):
    code = "import os, time; os.setsid(); time.sleep(600)"
    child = session.ask({"op": "child", "code": code}, timeout_s=20)["nonce"]
    assert psutil.pid_exists(child)
    session.close()
    assert gone(child)


def test_children_that_outlive_their_parent_end_and_hold_nobody_up(session):
    code = "import os, time; os.setsid(); print(end='', flush=True); time.sleep(600)"
    child = session.ask({"op": "child", "code": code}, timeout_s=20)["nonce"]
    while psutil.Process(child).cmdline()[-1:] != [code]:  # none while it becomes its program
        time.sleep(0.01)
    with pytest.raises(SessionDiedError):
        session.ask({"op": "die"}, timeout_s=250)
    assert gone(child)


def test_an_answer_nobody_asked_for_ends_the_session(session):
    assert session.ask({"op": "twice"}, timeout_s=20) == {}
    with pytest.raises(ProtocolError, match="before it was asked"):
        session.ask({"op": "echo"}, timeout_s=20)
    assert not session.alive


def test_a_process_that_does_not_read_is_killed_in_time(session):
    session.ask({"op": "deaf"}, timeout_s=20)
    with pytest.raises(LimitExceededError) as caught:
        session.ask({"op": "echo", "text": "x" * 10**6}, timeout_s=0.3)
    assert caught.value.reason is VerdictReason.TIMEOUT


def test_errors_that_nobody_reads_do_not_stop_it(session):
    assert session.ask({"op": "errors", "nonce": "a"}, timeout_s=20)["nonce"] == "a"


def test_nothing_of_our_environment_is_there(session, monkeypatch):
    assert "HOME" not in session.ask({"op": "environment"}, timeout_s=20)["nonce"]


def test_a_session_ends_with_its_program_not_with_who_started_it(tmp_path):
    started = []
    thread = threading.Thread(
        target=lambda: started.append(LeanProcess(fake_program(tmp_path), memory_mb=300))
    )
    thread.start()
    thread.join()
    with started[0] as session:
        assert session.ask({"op": "echo"}, timeout_s=20)


def test_a_sandbox_that_is_not_in_force_ends_the_session(tmp_path):
    program = replace(fake_program(tmp_path), sandbox=Path("/bin/sh"))
    with LeanProcess(program, memory_mb=300) as session:
        with pytest.raises(IsolationError, match="not the sandbox"):
            session.ask({"op": "echo"}, timeout_s=20)
        assert not session.alive


def test_a_session_says_what_its_program_says_of_isolation(tmp_path):
    program = replace(fake_program(tmp_path), isolation=Isolation(detail="one"))
    with LeanProcess(program, memory_mb=300) as session:
        assert session.isolation.detail == "one"
