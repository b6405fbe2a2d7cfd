"""The answer to a check request: validated, judged by the trusted procedure, never too large.

Whatever Lean could not do is `failed` or a candidate's `failure`, never a verdict.
"""

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from ragsolver_contracts import subjects
from ragsolver_contracts.check import CheckCandidate, CheckedCandidate, CheckReply, CheckRequest
from ragsolver_contracts.invalid import pointers
from ragsolver_contracts.verdict import Verdict
from ragsolver_runtime.requests import Service
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.batch import Asked, Judged
from ragsolver_verifier.check import Question
from ragsolver_verifier.decide import CheckerPort
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError
from ragsolver_verifier.header import imports_mathlib
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.statement import Statement

QUEUE = "checkers"
_LONGEST_TIMEOUT_S = 600.0
_MOST_OUTPUT_MB = 256
_MOST_HEARTBEATS = 2_000_000
"""Times 2,000 for the kernel, they must fit into 32 bits: beyond, they would mean no limit."""
_MOST_PROBLEMS = 3
_SHORT = 500


def check_service(checker: CheckerPort, settings: VerifierSettings) -> Service:
    """The service that answers `rs.check` on a checker."""

    async def _answer(raw: bytes, largest: int) -> bytes:
        return encoded(await reply_to(raw, checker), largest)

    return Service(
        subject=subjects.CHECK,
        queue=QUEUE,
        answer=_answer,
        sorry=lambda why: _failed(why).model_dump_json().encode(),
        at_once=settings.sessions,
        waiting=settings.checks_waiting,
    )


async def reply_to(raw: bytes, checker: CheckerPort) -> CheckReply:
    """The reply to one request, as it came."""
    try:
        request = CheckRequest.model_validate_json(raw)
    except ValidationError as error:
        found = pointers(error)
        said = "; ".join(f"{where or '/'}: {what}" for where, what in found[:_MOST_PROBLEMS])
        return _refused(found[0][0], said)
    too_much = _beyond(request)
    if too_much is not None:
        return too_much
    try:
        statement = await checker.state(request.header, request.statement)
    except LimitExceededError as error:
        return _refused("/statement", f"it could not be elaborated: {error}")
    except LeanFailureError as error:
        return _failed(str(error))
    if not statement.ok:
        where = "/header" if statement.problem == "header" else "/statement"
        return _refused(where, f"it does not elaborate: {statement.detail}")
    try:
        judged = await checker.judge(
            _asked(request, statement), stop_at_first=request.stop_at_first
        )
    except LeanFailureError as error:
        return _failed(str(error))
    return _judged(request.candidates, judged)


def _beyond(request: CheckRequest) -> CheckReply | None:
    """A refusal of limits that a shared server does not grant."""
    limits = request.limits
    if not limits.timeout_s <= _LONGEST_TIMEOUT_S:
        return _refused("/limits/timeout_s", f"at most {_LONGEST_TIMEOUT_S:g} seconds")
    if limits.output_mb > _MOST_OUTPUT_MB:
        return _refused("/limits/output_mb", f"at most {_MOST_OUTPUT_MB} MiB")
    if limits.max_heartbeats > _MOST_HEARTBEATS:
        return _refused("/limits/max_heartbeats", f"at most {_MOST_HEARTBEATS} heartbeats")
    return None


def _asked(request: CheckRequest, statement: Statement) -> list[Asked]:
    mathlib = imports_mathlib(request.header)
    question = Question(statement, request.negated, mathlib=mathlib)
    return [
        Asked(question, Candidate(item.proof, item.preamble, item.whole), request.limits)
        for item in request.candidates
    ]


def _judged(candidates: Sequence[CheckCandidate], judged: Sequence[Judged]) -> CheckReply:
    results = [
        CheckedCandidate(id=item.id, verdict=said)
        if isinstance(said, Verdict)
        else CheckedCandidate(id=item.id, failure=str(said) or type(said).__name__)
        for item, said in zip(candidates, judged, strict=False)
    ]
    return CheckReply(status="judged", results=tuple(results))


def _refused(pointer: str, detail: str) -> CheckReply:
    return CheckReply(status="refused", detail=detail, pointer=pointer)


def _failed(detail: str) -> CheckReply:
    return CheckReply(status="failed", detail=detail)


def encoded(reply: CheckReply, largest: int) -> bytes:
    """The reply's JSON, without what explains the verdicts where that would be too large.

    Args:
        reply: the reply.
        largest: bytes that the bus carries.
    """
    for shorten in (None, _without_source, _in_short):
        shown = reply if shorten is None else _with(reply, shorten)
        raw = shown.model_dump_json().encode()
        if len(raw) <= largest:
            return raw
    said = f"the verdicts are larger than the {largest} bytes of a message: ask about fewer"
    return _failed(said).model_dump_json().encode()


def _with(reply: CheckReply, shorten: Callable[[Verdict], dict[str, Any]]) -> CheckReply:
    results = tuple(
        item
        if item.verdict is None
        else item.model_copy(
            update={"verdict": item.verdict.model_copy(update=shorten(item.verdict))}
        )
        for item in reply.results
    )
    detail = "sources and explanations are left out: the reply would be too large for the bus"
    return reply.model_copy(update={"results": results, "detail": detail})


def _without_source(verdict: Verdict) -> dict[str, Any]:
    return {"source": "", "constants": (), "named_in_proof": ()}


def _in_short(verdict: Verdict) -> dict[str, Any]:
    messages = [
        item.model_copy(update={"text": item.text[:_SHORT]}) for item in verdict.diagnostics[:1]
    ]
    return {
        **_without_source(verdict),
        "header": "",
        "goals": tuple(goal[:_SHORT] for goal in verdict.goals[:1]),
        "diagnostics": tuple(messages),
        "statement_type": verdict.statement_type[:_SHORT],
    }
