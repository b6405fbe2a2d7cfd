"""The one union of everything that is said, and how an event is made and read.

Adding an event: its payload class in an `events_*.py`, one line in `PAYLOADS`, one alias in the
union; then `ragsolver schemas write` and one example.
"""

import json
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter, ValidationError

from ragsolver_contracts.envelope import Envelope, Payload
from ragsolver_contracts.events_family import HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemRefused,
    ProblemSubmitted,
    RunFinished,
    RunStarted,
    WorkFailed,
)
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemPlanned,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.ids import event_id
from ragsolver_contracts.invalid import InvalidEventError, pointers
from ragsolver_contracts.subjects import event_subject
from ragsolver_contracts.upcast import upcast

AnyEvent = Annotated[
    Envelope[Literal["ragsolver.run_started.v1"], RunStarted]
    | Envelope[Literal["ragsolver.problem_submitted.v1"], ProblemSubmitted]
    | Envelope[Literal["ragsolver.problem_refused.v1"], ProblemRefused]
    | Envelope[Literal["ragsolver.statement_checked.v1"], StatementChecked]
    | Envelope[Literal["ragsolver.statement_proposed.v1"], StatementProposed]
    | Envelope[Literal["ragsolver.statement_judged.v1"], StatementJudged]
    | Envelope[Literal["ragsolver.problem_planned.v1"], ProblemPlanned]
    | Envelope[Literal["ragsolver.evidence_retrieved.v1"], EvidenceRetrieved]
    | Envelope[Literal["ragsolver.proof_sketched.v1"], ProofSketched]
    | Envelope[Literal["ragsolver.candidate_proposed.v1"], CandidateProposed]
    | Envelope[Literal["ragsolver.verdict_issued.v1"], VerdictIssued]
    | Envelope[Literal["ragsolver.attempt_critiqued.v1"], AttemptCritiqued]
    | Envelope[Literal["ragsolver.attempt_abandoned.v1"], AttemptAbandoned]
    | Envelope[Literal["ragsolver.problem_decomposed.v1"], ProblemDecomposed]
    | Envelope[Literal["ragsolver.hole_closed.v1"], HoleClosed]
    | Envelope[Literal["ragsolver.llm_reserved.v1"], LlmReserved]
    | Envelope[Literal["ragsolver.llm_called.v1"], LlmCalled]
    | Envelope[Literal["ragsolver.problem_solved.v1"], ProblemSolved]
    | Envelope[Literal["ragsolver.problem_failed.v1"], ProblemFailed]
    | Envelope[Literal["ragsolver.work_failed.v1"], WorkFailed]
    | Envelope[Literal["ragsolver.problem_cancelled.v1"], ProblemCancelled]
    | Envelope[Literal["ragsolver.run_finished.v1"], RunFinished],
    Field(discriminator="type"),
]
"""Every event; `type` decides which."""

PAYLOADS: dict[str, type[Payload]] = {
    payload.NAME: payload
    for payload in (
        RunStarted,
        ProblemSubmitted,
        ProblemRefused,
        StatementChecked,
        StatementProposed,
        StatementJudged,
        ProblemPlanned,
        EvidenceRetrieved,
        ProofSketched,
        CandidateProposed,
        VerdictIssued,
        AttemptCritiqued,
        AttemptAbandoned,
        ProblemDecomposed,
        HoleClosed,
        LlmReserved,
        LlmCalled,
        ProblemSolved,
        ProblemFailed,
        WorkFailed,
        ProblemCancelled,
        RunFinished,
    )
}
"""Payload class by event name."""

_ADAPTER: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def make_event(
    payload: Payload,
    *,
    run_id: str,
    problem_id: str,
    source: str,
    time: datetime,
    cause: "AnyEvent | None" = None,
    traceparent: str | None = None,
    recorded_from: str | None = None,
) -> AnyEvent:
    """The event that says `payload`, with its deterministic id.

    Args:
        payload: what is said.
        run_id: the run.
        problem_id: the problem, or `_run`.
        source: `<role>/<instance>` of the emitter.
        time: aware time of emission.
        cause: the event that caused this one.
        traceparent: OpenTelemetry context; that of the cause by default.
        recorded_from: `<run id>/<event id>` of the recorded answer that is used again.
    """
    attributes = {
        "id": event_id(run_id, problem_id, payload.NAME, payload.decides()),
        "source": source,
        "type": payload.event_type(),
        "subject": f"{run_id}/{problem_id}",
        "time": time,
        "dataschema": schema_name(payload.NAME, payload.VERSION),
        "correlationid": run_id,
        "causationid": cause.id if cause is not None else None,
        "traceparent": traceparent or (cause.traceparent if cause is not None else None),
        "recordedfrom": recorded_from,
        "data": payload,
    }
    return _ADAPTER.validate_python(attributes)


def parse_event(raw: bytes | str | dict[str, Any]) -> AnyEvent:
    """Read one event of any known version; old versions are upcast, never rewritten.

    Raises:
        InvalidEventError: with the JSON pointer of everything that is wrong.
    """
    if not isinstance(raw, dict):
        try:
            raw = json.loads(raw)
        except (ValueError, UnicodeDecodeError) as error:
            raise InvalidEventError([("", f"not JSON: {error}")]) from error
    if not isinstance(raw, dict):
        raise InvalidEventError([("", "an event is a JSON object")])
    try:
        event = _ADAPTER.validate_python(upcast(raw))
    except ValidationError as error:
        raise InvalidEventError(pointers(error)) from error
    expected = event_id(event.run_id, event.problem_id, event.name, event.data.decides())
    if event.id != expected:
        raise InvalidEventError(
            [("/id", f"is {event.id}, what the event decides gives {expected}")]
        )
    if event.entity.split("/", 1)[0] != event.correlationid:
        raise InvalidEventError([("/subject", "its run differs from correlationid")])
    return event


def subject_of(event: AnyEvent) -> str:
    """NATS subject under which the event is stored."""
    return event_subject(event.name, event.run_id, event.problem_id, event.id)


def schema_name(name: str, version: int) -> str:
    """File name of an event's JSON Schema."""
    return f"v{version}/{name}.schema.json"


def envelope_class(name: str) -> type[Envelope[Any, Any]]:
    """Envelope class of the event `name`, as it stands in the union."""
    members: tuple[type[Envelope[Any, Any]], ...] = get_args(get_args(AnyEvent)[0])
    return next(m for m in members if m.model_fields["data"].annotation is PAYLOADS[name])
