import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.batch import Asked, judge_batch
from ragsolver_verifier.check import Question
from ragsolver_verifier.errors import (
    LimitExceededError,
    NoSessionError,
    ProtocolError,
    SessionDiedError,
)
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.pool_settings import PoolSettings, StartSettings
from ragsolver_verifier.statement import elaborate
from suites.scripted_lean import MESSAGE, ScriptedSession, checked, honest

STATEMENT = elaborate(
    ScriptedSession(honest), "", "theorem foo (n : Nat) : n + 0 = n", timeout_s=1
)


class World:
    """Sessions that do what a candidate's text says, and a record of who was asked about what."""

    def __init__(self, *, sessions=1, **settings):
        self.sessions = []
        self.checked = []
        self.prepared = []
        starts = StartSettings(2, 0.0, 0.0)
        self.settings = PoolSettings(sessions=sessions, **settings, starts=starts)

    def start(self):
        session = ScriptedSession(lambda request: self.answer(session, request))
        self.sessions.append(session)
        return session

    def answer(self, session, request):
        source = request["source"]
        word = source.rpartition(":= ")[2]
        self.checked.append((self.sessions.index(session), word))
        first_time = [w for _, w in self.checked].count(word) == 1
        if "dies" in word or ("stumbles" in word and first_time):
            session.alive = False
            raise SessionDiedError("gone")
        if "lies" in word:
            raise ProtocolError("another answer")
        if "loops" in word:
            session.alive = False
            raise LimitExceededError(VerdictReason.TIMEOUT, "slow")
        if "wrong" in word:
            return checked(complete=False, messages=[MESSAGE])
        return checked()

    def prepare(self, session, statement):
        self.prepared.append(statement.text)

    def pool(self):
        return SessionPool(self.start, lambda _: None, self.settings)

    async def judge(self, *words, **options):
        asked = [Asked(Question(STATEMENT), Candidate(word), CheckLimits()) for word in words]
        async with self.pool() as pool:
            judged = await judge_batch(pool, self.prepare, asked, **options)
        return [_said(item) for item in judged]


def _said(judged):
    if isinstance(judged, Exception):
        return type(judged).__name__
    return str(judged.reason or judged.status)


async def test_a_batch_is_one_lease_and_one_request_a_candidate():
    world = World()
    said = await world.judge("wrong 1", "right", "wrong 2", stop_at_first=False)
    assert said == ["elaboration_error", "accepted", "elaboration_error"]
    assert world.checked == [(0, "wrong 1"), (0, "right"), (0, "wrong 2")]


async def test_it_ends_with_the_first_proof_when_asked_to():
    world = World()
    assert await world.judge("wrong", "right", "right too") == ["elaboration_error", "accepted"]
    assert len(world.checked) == 2


async def test_nothing_asked_is_nothing_judged():
    assert await World().judge() == []


async def test_who_kills_the_process_twice_fails_and_takes_no_other_verdict_along():
    world = World()
    said = await world.judge("wrong 1", "dies", "wrong 2", "dies too", "right")
    wrong = "elaboration_error"
    assert said == [wrong, "SessionDiedError", wrong, "SessionDiedError", "accepted"]
    words = [word for _, word in world.checked]
    assert words == ["wrong 1", "dies", "dies", "wrong 2", "dies too", "dies too", "right"]
    tries = [session for session, word in world.checked if word == "dies"]
    assert len(set(tries)) == 2, "the second try is in another process"


async def test_who_was_only_there_when_it_died_gets_a_verdict():
    assert await World().judge("stumbles", "wrong") == ["accepted"]
    assert await World().judge("wrong", "stumbles") == ["elaboration_error", "accepted"]


async def test_a_limit_is_a_verdict_and_the_rest_goes_on_in_another_process():
    world = World()
    assert await world.judge("loops", "wrong", "loops 2") == [
        "timeout",
        "elaboration_error",
        "timeout",
    ]
    assert [session for session, _ in world.checked] == [0, 1, 1]


async def test_an_answer_that_cannot_be_right_is_that_candidates_failure():
    world = World()
    assert await world.judge("lies", "right") == ["ProtocolError", "accepted"]
    assert [session for session, _ in world.checked] == [0, 1, 2], "each try in another process"


async def test_a_worn_session_is_given_back_in_the_middle():
    world = World(recycle_checks=2)
    said = await world.judge(*(f"wrong {n}" for n in range(6)))
    assert said == ["elaboration_error"] * 6
    assert len({session for session, _ in world.checked}) > 1


async def test_a_death_at_the_statement_is_tried_again_and_then_raised():
    world = World()
    deaths = []

    def prepare(session, statement):
        if len(deaths) < 1:
            deaths.append(1)
            session.alive = False
            raise SessionDiedError("gone")

    world.prepare = prepare
    assert await world.judge("right") == ["accepted"]
    deaths.clear()
    world.prepare = lambda session, _: (
        deaths.append(1) or world.answer(session, {"source": ":= dies"})
    )
    with pytest.raises(SessionDiedError):
        await world.judge("right")
    assert len(deaths) == 2


async def test_no_session_is_no_verdict():
    world = World()
    healthy = world.start

    def start():
        if world.sessions:
            raise OSError("no memory")
        return healthy()

    world.start = start
    with pytest.raises(NoSessionError, match="no memory"):
        await world.judge("dies", "right")
