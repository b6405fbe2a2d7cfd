import subprocess
import threading

import pytest

from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier import watch as module
from ragsolver_verifier.tree import Usage
from ragsolver_verifier.watch import Limits, Watch

AMPLE = Limits(timeout_s=50, memory_mb=1_000, cpu_s=None, output_mb=1)


@pytest.fixture
def killed(monkeypatch):
    called = threading.Event()
    monkeypatch.setattr(module, "kill_tree", lambda _: called.set())
    return called


@pytest.fixture
def used(monkeypatch):
    amounts = [Usage(cpu_s=7.0, resident_mb=10.0, processes=1)]
    monkeypatch.setattr(module, "usage", lambda _: amounts[-1])
    return amounts


@pytest.fixture
def watch(used, killed):
    started = Watch(lambda: 99)
    yield started
    started.stop()


def test_it_starts_on_its_own_thread():
    threads = []
    watch = Watch(lambda: threads.append(threading.current_thread()) or 1)
    assert threads[0] is not threading.current_thread()
    assert threads[0].is_alive()
    watch.stop()
    threads[0].join(20)
    assert not threads[0].is_alive()


def test_a_failing_start_is_raised():
    with pytest.raises(OSError, match="not there"):
        Watch(lambda: subprocess.Popen(["/not there"]).pid)


@pytest.mark.parametrize(
    ("limits", "later", "reason"),
    [
        (Limits(0.01, 1_000, None, 1), Usage(7.0, 10.0), VerdictReason.TIMEOUT),
        (Limits(50, 1_000, 1.0, 1), Usage(8.1, 10.0), VerdictReason.TIMEOUT),
        (Limits(50, 1_000, None, 1), Usage(7.0, 1_001.0), VerdictReason.MEMORY_LIMIT),
    ],
)
def test_what_is_used_up_ends_it(watch, used, killed, limits, later, reason):
    with watch.limited(limits):
        used.append(later)
        assert killed.wait(20)
    assert watch.exceeded.reason is reason


def test_cpu_time_used_before_does_not_count(watch, used, killed):
    with watch.limited(Limits(50, 1_000, 1.0, 1)):
        used.append(Usage(7.9, 10.0))
        assert not killed.wait(0.5)
    used.append(Usage())
    with watch.limited(AMPLE):
        pass
    assert watch.cpu_s == 7.9
    assert watch.exceeded is None


def test_output_ends_it_only_while_a_request_is_under_way(watch, killed):
    watch.output_exceeded()
    assert not killed.is_set()
    with watch.limited(AMPLE):
        watch.output_exceeded()
        assert killed.is_set()
    assert watch.exceeded.reason is VerdictReason.OUTPUT_LIMIT
