"""Work of many callers done in few calls: what comes within milliseconds goes into one.

For models, which take little longer for eight texts than for one, and which one thread uses.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class OverloadedError(Exception):
    """More waits than is allowed; to be tried again later."""


class _Job(NamedTuple, Generic[Item, Result]):
    items: Sequence[Item]
    future: "Future[list[Result]]"


class Batcher(Generic[Item, Result]):
    """Gathers items of several callers for one call; its thread starts with the first."""

    def __init__(
        self,
        work: Callable[[list[Item]], Sequence[Result]],
        *,
        wait_s: float,
        most: int,
        waiting: int,
        name: str,
    ) -> None:
        """Start nothing yet.

        Args:
            work: gives one result per item, in order; called from one thread only.
            wait_s: how long the first of a batch waits for others.
            most: items of one call, but those of one caller are never split.
            waiting: items that may wait; more are refused.
            name: of the thread.
        """
        self._work = work
        self._wait_s = wait_s
        self._most = most
        self._waiting = waiting
        self._name = name
        self._jobs: deque[_Job[Item, Result]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, items: Sequence[Item]) -> "Future[list[Result]]":
        """The results, later; what is cancelled before its call began is not worked on.

        Raises:
            OverloadedError: too many wait.
        """
        future: Future[list[Result]] = Future()
        if not items:
            future.set_result([])
            return future
        with self._changed:
            waiting = sum(len(job.items) for job in self._jobs)
            if self._closed or (waiting and waiting + len(items) > self._waiting):
                why = "it is closed" if self._closed else f"{waiting} wait already"
                raise OverloadedError(f"{self._name} takes no more: {why}")
            self._jobs.append(_Job(items, future))
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify()
        return future

    def close(self) -> None:
        """Take nothing more; what waits is cancelled, what runs gets to its end."""
        with self._changed:
            self._closed = True
            left = [job.future for job in self._jobs]
            self._jobs.clear()
            self._changed.notify()
        for future in left:
            future.cancel()
            future.set_running_or_notify_cancel()

    def _serve(self) -> None:
        while (batch := self._next()) is not None:
            wanted = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if wanted:
                self._do(wanted)

    def _next(self) -> list[_Job[Item, Result]] | None:
        """The jobs of the next call; none after the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or self._closed)
            until = time.monotonic() + self._wait_s
            while not self._closed and sum(len(job.items) for job in self._jobs) < self._most:
                left = until - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
            if self._closed:
                return None
            batch = [self._jobs.popleft()]
            count = len(batch[0].items)
            while self._jobs and count + len(self._jobs[0].items) <= self._most:
                batch.append(self._jobs.popleft())
                count += len(batch[-1].items)
            return batch

    def _worked(self, items: list[Item]) -> list[Result]:
        found = list(self._work(items))
        if len(found) != len(items):
            raise ValueError(f"{self._name} gave {len(found)} results for {len(items)}")
        return found

    def _do(self, batch: list[_Job[Item, Result]]) -> None:
        """One call for all; where it fails, one for each, so that an error finds its cause."""
        try:
            found = self._worked([item for job in batch for item in job.items])
        except BaseException as error:  # noqa: BLE001 - its callers raise it
            if len(batch) == 1:
                batch[0].future.set_exception(error)
                return
            for job in batch:
                self._do([job])
            return
        start = 0
        for job in batch:
            job.future.set_result(found[start : start + len(job.items)])
            start += len(job.items)
