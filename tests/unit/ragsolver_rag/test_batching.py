import threading
from concurrent.futures import wait

import pytest

from ragsolver_rag.batching import Batcher, OverloadedError


class Doubling:
    """Doubles numbers, refuses 13, and waits for `go` in the first call."""

    def __init__(self, held=False):
        self.calls = []
        self.entered, self.go = threading.Event(), threading.Event()
        if not held:
            self.go.set()

    def __call__(self, items):
        self.calls.append(list(items))
        self.entered.set()
        assert self.go.wait(10)
        if 13 in items:
            raise ValueError("thirteen")
        return [2 * item for item in items]


def batcher(work, **changes):
    return Batcher(work, **{"wait_s": 0.0, "most": 8, "waiting": 100, "name": "test", **changes})


def busy(work, **changes):
    """A batcher whose thread is in its first call until `go`."""
    made = batcher(work, **changes)
    first = made.submit([0])
    assert work.entered.wait(10)
    return made, first


def test_what_comes_during_a_call_goes_into_the_next_together():
    work = Doubling(held=True)
    made, first = busy(work)
    later = [made.submit([1, 2]), made.submit([3]), made.submit([])]
    work.go.set()
    assert [future.result(10) for future in (first, *later)] == [[0], [2, 4], [6], []]
    assert work.calls == [[0], [1, 2, 3]]
    made.close()


def test_what_comes_within_the_wait_goes_together():
    work = Doubling()
    made = batcher(work, wait_s=30.0, most=3)
    found = [made.submit([1]), made.submit([2, 3])]
    assert [future.result(10) for future in found] == [[2], [4, 6]]
    assert work.calls == [[1, 2, 3]]
    made.close()


def test_a_call_has_no_more_than_is_allowed_but_nobody_is_split():
    work = Doubling(held=True)
    made, _ = busy(work, most=3)
    found = [made.submit([1, 2]), made.submit([3, 4]), made.submit([5, 6, 7, 8])]
    work.go.set()
    wait(found, 10)
    assert work.calls[1:] == [[1, 2], [3, 4], [5, 6, 7, 8]]
    made.close()


def test_an_error_goes_to_exactly_those_who_caused_it():
    work = Doubling(held=True)
    made, _ = busy(work)
    good, bad, fine = made.submit([1]), made.submit([2, 13]), made.submit([3])
    work.go.set()
    assert good.result(10) == [2]
    assert fine.result(10) == [6]
    with pytest.raises(ValueError, match="thirteen"):
        bad.result(10)
    assert made.submit([4]).result(10) == [8]
    made.close()


def test_what_is_cancelled_before_its_call_is_not_worked_on():
    work = Doubling(held=True)
    made, _ = busy(work)
    given_up, kept = made.submit([1]), made.submit([2])
    assert given_up.cancel()
    work.go.set()
    assert kept.result(10) == [4]
    assert work.calls == [[0], [2]]
    made.close()


def test_more_than_may_wait_is_refused_and_room_comes_again():
    work = Doubling(held=True)
    made, _ = busy(work, waiting=3)
    waiting = made.submit([1, 2])
    with pytest.raises(OverloadedError, match="2 wait already"):
        made.submit([3, 4])
    work.go.set()
    assert waiting.result(10) == [2, 4]
    assert made.submit([3, 4]).result(10) == [6, 8]
    made.close()


def test_a_wrong_number_of_results_is_an_error_and_not_given_to_others():
    made = batcher(lambda items: [1])
    with pytest.raises(ValueError, match="gave 1 results for 2"):
        made.submit([1, 2]).result(10)
    made.close()


def test_the_end_cancels_what_waits_and_takes_nothing_more():
    work = Doubling(held=True)
    made, running = busy(work)
    waiting = made.submit([1])
    made.close()
    work.go.set()
    assert running.result(10) == [0]
    assert waiting.cancelled()
    with pytest.raises(OverloadedError, match="closed"):
        made.submit([2])


def test_a_crash_of_the_work_does_not_end_the_thread():
    class Panic(BaseException):
        pass

    def panics(items):
        if items == [1]:
            raise Panic
        return items

    made = batcher(panics)
    with pytest.raises(Panic):
        made.submit([1]).result(10)
    assert made.submit([2]).result(10) == [2]
    made.close()
