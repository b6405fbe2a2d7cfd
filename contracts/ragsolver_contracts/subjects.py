"""The only place where a NATS subject is spelt.

`rs.v1.<event name>.<run>.<problem>.<event id>` for events: the unique last token lets one batched
direct get return a problem's events and makes a duplicate refusable for ever.
"""

from ragsolver_contracts.ids import token

EVENTS_ALL = "rs.v1.>"
RECORDED_ALL = "rs.recorded.>"
SUBMIT = "rs.submit"
CHECK = "rs.check"
CANCEL_ALL = "rs.cancel.>"
SUBMIT_ANSWERS = "rs.answer.*"
CANCEL_TEMPLATE = "rs.cancel.{run}.{problem}"
"""A notice's subject with names for what differs, for documents and labels."""


def event_subject(name: str, run_id: str, problem_id: str, event_id: str) -> str:
    """Subject of one event."""
    return f"rs.v1.{name}.{token(run_id)}.{token(problem_id)}.{event_id}"


def event_template(name: str) -> str:
    """Subject of every event of one name, with names for what differs."""
    return f"rs.v1.{name}.{{run}}.{{problem}}.{{event}}"


def event_name(subject: str) -> str:
    """Name of the event that is stored under a subject; empty for any other subject."""
    tokens = subject.split(".")
    return tokens[2] if len(tokens) > 2 and subject.startswith(EVENTS_ALL[:-1]) else ""


def events_named(name: str) -> str:
    """Filter over all events of one name, over all runs."""
    return f"rs.v1.{name}.>"


def events_of_run(run_id: str, name: str = "*") -> str:
    """Filter over the events of one run, of one name or of all."""
    return f"rs.v1.{name}.{token(run_id)}.>"


def events_of_problem(run_id: str, problem_id: str, name: str = "*") -> str:
    """Filter over the events of one problem, of one name or of all."""
    return f"rs.v1.{name}.{token(run_id)}.{token(problem_id)}.*"


def cancel_notice(run_id: str, problem_id: str) -> str:
    """Core subject of the notice that a problem needs no more work."""
    return f"rs.cancel.{token(run_id)}.{token(problem_id)}"


def submit_answer(input_digest: str) -> str:
    """Core subject on which the answer to one submitted input is made known to the intakes."""
    return f"rs.answer.{input_digest[:32]}"


def recorded_answer(recording: str, problem_id: str, kind: str, key: str) -> str:
    """Subject of one recorded answer; `key` is a hex digest."""
    return f"rs.recorded.{recording}.{token(problem_id)}.{kind}.{key}"
