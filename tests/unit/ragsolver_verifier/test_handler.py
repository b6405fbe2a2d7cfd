import asyncio
from contextlib import asynccontextmanager

import psutil
import pytest

from ragsolver_contracts import subjects, testing
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted, RunStarted
from ragsolver_contracts.events_work import CandidateProposed, VerdictIssued
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime import consume
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.consume import Consumer
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.notices import CancelNotices
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.worker import WorkerContext
from ragsolver_verifier import handler
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.batch import Asked
from ragsolver_verifier.check import Question
from ragsolver_verifier.handler import WORKER, open_checker
from ragsolver_verifier.settings import VerifierSettings
from suites.fake_bus import FakeClient
from suites.fake_checker import fake_checker
from suites.fake_repl import fake_program
from suites.scripted_lean import ScriptedSession, honest


async def never(_run, _problem):
    raise AssertionError


async def test_a_checker_owns_its_sessions(tmp_path, monkeypatch):
    sessions = []

    def start(*_, **__):
        sessions.append(ScriptedSession(honest))
        return sessions[-1]

    program = fake_program(tmp_path)
    monkeypatch.setattr(handler, "installed_program", lambda *_, **__: program)
    monkeypatch.setattr(handler, "LeanProcess", start)
    async with open_checker(VerifierSettings(sessions=2)) as checker:
        statement = await checker.state("", "theorem foo (n : Nat) : n + 0 = n")
        assert statement.ok
    assert all(session.closed for session in sessions)


async def test_a_thousand_checks_by_a_program_that_dies_every_fifty_commands(
    tmp_path, monkeypatch
):
    program = fake_checker(tmp_path, dies_after=50)
    monkeypatch.setattr(handler, "installed_program", lambda *_, **__: program)
    async with open_checker(VerifierSettings(sessions=2)) as checker:
        statement = await checker.state("", "theorem foo (n : Nat) : n + 0 = n")
        proofs = [("wrong", "right")[n % 2] for n in range(1_000)]
        asked = [Asked(Question(statement), Candidate(p), CheckLimits()) for p in proofs]
        halves = [checker.judge(part, stop_at_first=False) for part in (asked[:500], asked[500:])]
        judged = [said for half in await asyncio.gather(*halves) for said in half]
        tally = checker.tally
    assert [str(said.status) for said in judged] == ["rejected", "accepted"] * 500
    assert tally.deaths >= 20
    assert tally.requests >= 1_000


class Delivery:
    """A delivery that remembers how it was settled."""

    sequence = number = 1

    def __init__(self, trigger):
        self.body = trigger.to_json()
        self.subject = subject_of(trigger)
        self.settled = []

    async def ack(self):
        self.settled.append("ack")

    async def in_progress(self):
        pass


async def test_checks_end_when_the_problem_is_cancelled(tmp_path, monkeypatch):
    """Through the worker: the Lean process dies at once, and no verdict is issued."""
    # Whoever waits for the runtime to cancel a decision waits longer than a test may.
    monkeypatch.setattr(consume, "_DECIDE_GRACE_S", 600.0)
    program = fake_checker(tmp_path)
    monkeypatch.setattr(handler, "installed_program", lambda *_, **__: program)
    client = FakeClient()
    notices = CancelNotices(client)
    settings = {"sessions": 1, "agreement_names": 0}
    context = WorkerContext("verifier", "one", settings, notices.cancelled)
    publisher, reader = Publisher(client), EventReader(client)
    submitted = testing.event(ProblemSubmitted(problem=testing.problem()))
    started = testing.event(
        RunStarted(config=RunConfig(), config_digest="d"), problem_id=RUN_SCOPE
    )
    async with notices, WORKER.open(context) as decide:
        consumer = Consumer(
            WORKER,
            context,
            decide,
            publisher=publisher,
            reader=reader,
            blobs=BlobStore(client.js),
            on_lost=lambda: None,
        )
        case = Case.fold("r1", submitted.problem_id, [submitted])
        (stated,) = await decide(case, submitted)
        proposed = testing.event(
            CandidateProposed(
                attempt=1,
                candidate=0,
                batch=0,
                closes_batch=True,
                closes_attempt=True,
                text=CandidateText(proof="sleep"),
                strategy="test",
                limits=CheckLimits(timeout_s=500.0),
            )
        )
        for event in (started, submitted, testing.event(stated), proposed):
            await publisher.publish(event)
        delivery = Delivery(proposed)
        working = asyncio.create_task(consumer.handle(delivery))
        lean = psutil.Process(await _checking(tmp_path))
        await publisher.publish(testing.event(ProblemCancelled(requested_by="test")))
        await working
        assert not lean.is_running() or lean.status() == psutil.STATUS_ZOMBIE
        other = testing.event(submitted.data, problem_id="other")
        (again,) = await decide(Case.fold("r1", "other", [other]), other)
        assert again.statable, "another process answers"
    assert delivery.settled == ["ack"]
    events = await reader.read_problem("r1", submitted.problem_id)
    assert not any(isinstance(event.data, VerdictIssued) for event in events)


async def _checking(folder):
    """The id of the process that works on the candidate, once it does."""
    for _ in range(2_000):
        mark = folder / "mark"
        if mark.exists() and mark.read_text():
            return int(mark.read_text())
        await asyncio.sleep(0.01)
    raise AssertionError("nothing is checked")


@pytest.mark.parametrize("serves", [True, False])
async def test_requests_of_others_are_answered_unless_told_not_to(serves, tmp_path, monkeypatch):
    program = fake_checker(tmp_path)
    monkeypatch.setattr(handler, "installed_program", lambda *_, **__: program)
    served = []

    @asynccontextmanager
    async def serve(service):
        served.append(service.subject)
        yield

    settings = {"sessions": 1, "agreement_names": 0, "serve_checks": serves}
    context = WorkerContext("verifier", "one", settings, never, serve)
    async with WORKER.open(context):
        pass
    assert served == [subjects.CHECK] * serves


async def test_an_unknown_setting_is_refused():
    context = WorkerContext("verifier", "one", {"sesions": 2}, never)
    with pytest.raises(ConfigError, match="sesions"):
        async with WORKER.open(context):
            pass


def test_the_verifier_alone_issues_verdicts():
    assert WORKER.role == "verifier"
    assert ProblemSubmitted in WORKER.triggers
    assert {kind.NAME for kind in WORKER.emits} == {
        "statement_checked",
        "verdict_issued",
        "work_failed",
    }
