"""Dead letters: `work_failed` for what can never succeed, also for what cannot be read."""

import json
from datetime import UTC, datetime

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_run import WorkFailed

_LONGEST_MESSAGE = 4_000


def is_one(payload: Payload) -> bool:
    """Every worker may emit a dead letter for a part of its work."""
    return type(payload) is WorkFailed


def is_own(event: AnyEvent, role: str) -> bool:
    """Whether the event is a dead letter about a failure of `role` itself."""
    return isinstance(event.data, WorkFailed) and event.data.failed_role == role


def letter(
    *,
    role: str,
    source: str,
    subject: str,
    body: bytes,
    event: AnyEvent | None,
    stage: str,
    error: BaseException,
    deliveries: int,
) -> AnyEvent:
    """The `work_failed` event of one delivery.

    Args:
        role: the role that failed.
        source: who records it.
        subject: subject of the delivered message.
        body: content of the delivered message.
        event: the message as an event, where it could be read.
        stage: `decode`, `load`, `handle`, `publish` or `deliver`.
        error: what went wrong.
        deliveries: how often it was tried.
    """
    run_id, problem_id, trigger_id, trigger_type = _identity(subject, body)
    if event is not None:
        run_id, problem_id = event.run_id, event.problem_id
        trigger_id, trigger_type = event.id, event.type
    payload = WorkFailed(
        failed_role=role,
        trigger_id=trigger_id,
        trigger_type=trigger_type,
        stage=stage,
        error=type(error).__name__,
        message=(str(error) or repr(error))[:_LONGEST_MESSAGE],
        deliveries=deliveries,
    )
    return make_event(
        payload,
        run_id=run_id,
        problem_id=problem_id,
        source=source,
        time=datetime.now(UTC),
        cause=event,
    )


def _identity(subject: str, body: bytes) -> tuple[str, str, str, str]:
    """Run, problem, id and type of a message that may be anything, from what is readable."""
    _, _, name, run_id, problem_id, trigger_id = (subject.split(".") + ["unknown"] * 6)[:6]
    trigger_type = name
    try:
        attributes = json.loads(body)
    except ValueError:
        return run_id, problem_id, trigger_id, trigger_type
    if isinstance(attributes, dict):
        entity = attributes.get("subject")
        correlation = attributes.get("correlationid")
        if (
            isinstance(entity, str)
            and isinstance(correlation, str)
            and entity.startswith(f"{correlation}/")
            and len(entity) > len(correlation) + 1
        ):
            run_id, problem_id = correlation, entity.removeprefix(f"{correlation}/")
        if isinstance(attributes.get("type"), str):
            trigger_type = attributes["type"]
    return run_id, problem_id, trigger_id, trigger_type
