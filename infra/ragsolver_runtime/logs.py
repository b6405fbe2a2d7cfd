"""Logs: JSON lines for machines, short lines on standard error for people.

Within a delivery every record tells the run, problem, event, trace and number of the delivery.
"""

import contextvars
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Literal, TextIO

from ragsolver_contracts.events import AnyEvent

_scope: contextvars.ContextVar[dict[str, str]] = contextvars.ContextVar("log_scope")

Form = Literal["text", "json"]

FILE_BYTES = 16 * 1024**2
"""A log file that is larger goes to `NAME.1`."""
FILES = 3
"""Log files of one process: the current one and two older ones."""

NOISY = ("nats", "asyncio", "urllib3", "anthropic", "httpcore2", "httpx2")
"""Loggers of which only warnings are of interest; some would also show headers."""


@contextmanager
def log_scope(**fields: str) -> Iterator[None]:
    """Attach fields (run, problem) to every record of the block, in its tasks too."""
    mark = _scope.set({**_scope.get({}), **fields})
    try:
        yield
    finally:
        _scope.reset(mark)


@contextmanager
def event_scope(event: AnyEvent, delivery: int) -> Iterator[None]:
    """Every record of the block tells which delivery it belongs to, in its tasks and threads.

    Args:
        event: the trigger: its run, problem, id, name, trace, attempt and candidate.
        delivery: number of the delivery, from 1.
    """
    fields = {
        "run": event.run_id,
        "problem": event.problem_id,
        "event": event.id,
        "type": event.name,
        "delivery": str(delivery),
    }
    if event.traceparent is not None:
        fields["trace"] = trace_id(event.traceparent)
    for name in ("attempt", "candidate"):
        if isinstance(number := getattr(event.data, name, None), int):
            fields[name] = str(number)
    with log_scope(**fields):
        yield


def trace_id(traceparent: str) -> str:
    """The trace id of a W3C `traceparent`: its second field."""
    return [*traceparent.split("-"), ""][1]


class JsonFormatter(logging.Formatter):
    """One JSON object per record: time, level, role, logger, text, traceback, and its scope."""

    def __init__(self, role: str, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._role, self._secrets = role, secrets

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON."""
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "role": self._role,
            "logger": record.name,
            "text": record.getMessage(),
            **_scope.get({}),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(_struck(entry, self._secrets), ensure_ascii=False)


class HumanFormatter(logging.Formatter):
    """`12:30:01 verifier warning add_zero: text`, without tracebacks."""

    def __init__(self, role: str, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._role, self._secrets = role, secrets

    def format(self, record: logging.LogRecord) -> str:
        """The record as one short line."""
        at = datetime.fromtimestamp(record.created, UTC).astimezone()
        problem = _scope.get({}).get("problem")
        where = f" {problem}" if problem else ""
        level = record.levelname.lower()
        text = _without(record.getMessage(), self._secrets)
        return f"{at:%H:%M:%S} {self._role} {level}{where}: {text}"


def _struck(entry: dict[str, object], secrets: Sequence[str]) -> dict[str, object]:
    if not secrets:
        return entry
    return {
        name: _without(value, secrets) if isinstance(value, str) else value
        for name, value in entry.items()
    }


def _without(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "[secret]")
    return text


def set_up(
    role: str,
    *,
    file: Path | None = None,
    level: int = logging.INFO,
    stream: TextIO | None = None,
    quiet: bool = False,
    form: Form = "text",
    secrets: Sequence[str] = (),
) -> None:
    """Configure the root logger of this process; called once, by a `main`.

    Args:
        role: who logs.
        file: JSON lines are appended here; its folder is made, and it is bounded in size.
        level: lowest level in the file; people see warnings and above unless it is lower.
        stream: where people read; standard error by default.
        quiet: nothing on the stream.
        form: `json`: the stream gets the JSON lines of the file, for whoever collects it.
        secrets: struck out of every line.
    """
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        to_file = RotatingFileHandler(
            file, maxBytes=FILE_BYTES, backupCount=FILES - 1, encoding="utf-8"
        )
        to_file.setFormatter(JsonFormatter(role, secrets))
        root.addHandler(to_file)
    if not quiet:
        to_people = logging.StreamHandler(stream or sys.stderr)
        kind = JsonFormatter if form == "json" else HumanFormatter
        to_people.setFormatter(kind(role, secrets))
        brief = form == "text" and level >= logging.INFO
        to_people.setLevel(max(level, logging.WARNING) if brief else level)
        root.addHandler(to_people)
    quieten()


def quieten() -> None:
    """Only warnings of libraries are logged, whatever they set up by themselves."""
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
    # A collector that is away is told once for each batch, not for each try.
    logging.getLogger("opentelemetry").setLevel(logging.ERROR)
