import json

import pytest

from ragsolver_contracts.check import CheckedCandidate, CheckReply
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.answer_check import check_service, encoded, reply_to
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError, NoSessionError
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.statement import Statement
from suites.check_server import scripted_checker
from suites.scripted_lean import TOOLCHAIN, verdict_on, wrong

STATEMENT = "theorem foo (n : Nat) : n + 0 = n"


def request(*proofs, **changes):
    candidates = [{"id": f"c{n}", "proof": proof} for n, proof in enumerate(proofs)]
    return json.dumps({"statement": STATEMENT, "candidates": candidates, **changes}).encode()


async def ask(raw):
    async with scripted_checker() as checker:
        return await reply_to(raw, checker)


async def test_verdicts_come_back_by_id():
    reply = await ask(request("rfl", "wrong"))
    assert reply.status == "judged"
    assert [(r.id, str(r.verdict.status)) for r in reply.results] == [
        ("c0", "accepted"),
        ("c1", "rejected"),
    ]


async def test_a_candidate_that_kills_lean_is_a_failure_of_its_own():
    reply = await ask(request("rfl", "die", "rfl"))
    assert [r.verdict is None for r in reply.results] == [False, True, False]
    assert "ended without an answer" in reply.results[1].failure


async def test_stopping_at_the_first():
    reply = await ask(request("wrong", "rfl", "rfl", stop_at_first=True))
    assert [r.id for r in reply.results] == ["c0", "c1"]


async def test_a_whole_text_is_a_candidate():
    raw = request(candidates=[{"id": "w", "whole": f"{STATEMENT} := rfl"}])
    (result,) = (await ask(raw)).results
    assert result.verdict.source == f"{STATEMENT} := rfl"


@pytest.mark.parametrize(
    ("raw", "pointer"),
    [
        (b"", ""),
        (b"{", ""),
        (b"\xff\xfe", ""),
        (b"[" * 100_000, ""),
        (b"null", ""),
        (b'"x"', ""),
        (request(), "/candidates"),
        (request(*["rfl"] * 65), "/candidates"),
        (request("rfl", statement=""), "/statement"),
        (request("rfl", statement=1), "/statement"),
        (request("rfl", more=1), "/more"),
        (request(candidates=[{"id": "a"}]), "/candidates/0"),
        (request(candidates=[{"id": "a", "proof": "x", "a/b": 1}]), "/candidates/0/a~1b"),
        (request("rfl", limits={"timeout_s": -1}), "/limits/timeout_s"),
        (request("rfl", limits={"timeout_s": 1e9}), "/limits/timeout_s"),
        (request("rfl", limits={"timeout_s": float("nan")}), "/limits/timeout_s"),
        (request("rfl", limits={"timeout_s": float("inf")}), "/limits/timeout_s"),
        (request("rfl", limits={"output_mb": 10**9}), "/limits/output_mb"),
        (request("rfl", limits={"max_heartbeats": 10**400}), "/limits/max_heartbeats"),
    ],
)
async def test_what_is_refused_says_where(raw, pointer):
    reply = await ask(raw)
    assert (reply.status, reply.pointer) == ("refused", pointer)
    assert reply.detail


class Failing:
    """A checker that cannot."""

    toolchain = TOOLCHAIN

    def __init__(self, state=None, judge=None):
        self._state, self._judge = state, judge

    async def state(self, header, text):
        if isinstance(self._state, Exception):
            raise self._state
        return self._state or Statement(header, text, ok=True, name="foo")

    async def judge(self, asked, *, memory_mb=None, stop_at_first=True):
        raise self._judge


@pytest.mark.parametrize(
    ("checker", "status", "pointer"),
    [
        (Failing(LeanFailureError("gone")), "failed", ""),
        (Failing(judge=NoSessionError("no memory")), "failed", ""),
        (Failing(LimitExceededError(VerdictReason.TIMEOUT, "slow")), "refused", "/statement"),
        (Failing(Statement("", "x", ok=False, problem="error")), "refused", "/statement"),
        (Failing(Statement("x", "x", ok=False, problem="header")), "refused", "/header"),
    ],
)
async def test_want_of_lean_is_no_verdict(checker, status, pointer):
    reply = await reply_to(request("rfl"), checker)
    assert (reply.status, reply.pointer, reply.results) == (status, pointer, ())


def test_a_large_reply_loses_what_explains_it_and_keeps_the_verdicts():
    verdict = verdict_on(wrong).model_copy(update={"source": "x" * 5_000})
    whole = CheckReply(status="judged", results=(CheckedCandidate(id="a", verdict=verdict),))
    assert encoded(whole, 100_000) == whole.model_dump_json().encode()
    shown = CheckReply.model_validate_json(encoded(whole, 4_000))
    assert shown.results[0].verdict.reason == verdict.reason
    assert shown.results[0].verdict.source == ""
    assert "left out" in shown.detail
    assert CheckReply.model_validate_json(encoded(whole, 300)).status == "failed"


async def test_the_service_says_sorry_in_a_reply():
    async with scripted_checker() as checker:
        service = check_service(checker, VerifierSettings(sessions=3, checks_waiting=7))
        assert (service.at_once, service.waiting) == (3, 7)
        answer = CheckReply.model_validate_json(await service.answer(request("rfl"), 10**6))
    assert answer.status == "judged"
    said = CheckReply.model_validate_json(service.sorry("busy"))
    assert (said.status, said.detail) == ("failed", "busy")
