"""Builders of valid values for tests, examples and simulated load."""

from datetime import UTC, datetime, timedelta
from typing import Any

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.ids import digest
from ragsolver_contracts.problem import Problem

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def problem(name: str = "add_zero_nat", **changes: Any) -> Problem:
    """A small true problem."""
    values: dict[str, Any] = {
        "problem_id": name,
        "name": name,
        "formal_statement": f"theorem {name} (n : Nat) : n + 0 = n",
        "declaration": name,
        "informal_statement": "Adding zero changes nothing.",
        "input_digest": digest(name),
    }
    return Problem(**{**values, **changes})


def event(
    payload: Payload,
    *,
    run_id: str = "r1",
    problem_id: str = "add_zero_nat",
    role: str = "test",
    seconds: float = 0.0,
    cause: AnyEvent | None = None,
) -> AnyEvent:
    """The event that says `payload`, `seconds` after a fixed instant."""
    return make_event(
        payload,
        run_id=run_id,
        problem_id=problem_id,
        source=f"{role}/one",
        time=EPOCH + timedelta(seconds=seconds),
        cause=cause,
    )
