import threading
import time

import psutil
import pytest

from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.errors import (
    LimitExceededError,
    ProtocolError,
    SessionDiedError,
    SessionStoppedError,
)
from ragsolver_verifier.session import LeanProcess, kill_group, resident_mb
from suites.fake_repl import fake_program


@pytest.fixture
def session(tmp_path):
    with LeanProcess(fake_program(tmp_path), memory_mb=300) as started:
        yield started


def gone(pid):
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


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


@pytest.mark.parametrize("op", ["babble", "list"])
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


def test_killing_what_is_gone_is_no_error():
    kill_group(2**22 - 1)
    assert resident_mb(2**22 - 1) == 0
