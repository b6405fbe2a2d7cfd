"""Logs: JSON lines in a file for machines, short lines on standard error for people."""

import contextvars
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

_scope: contextvars.ContextVar[dict[str, str]] = contextvars.ContextVar("log_scope")

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


class JsonFormatter(logging.Formatter):
    """One JSON object per record: time, level, logger, text, role, run, problem, traceback."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role

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
        return json.dumps(entry, ensure_ascii=False)


class HumanFormatter(logging.Formatter):
    """`12:30:01 verifier warning add_zero: text`, without tracebacks."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role

    def format(self, record: logging.LogRecord) -> str:
        """The record as one short line."""
        at = datetime.fromtimestamp(record.created, UTC).astimezone()
        problem = _scope.get({}).get("problem")
        where = f" {problem}" if problem else ""
        level = record.levelname.lower()
        return f"{at:%H:%M:%S} {self._role} {level}{where}: {record.getMessage()}"


def set_up(
    role: str,
    *,
    file: Path | None = None,
    level: int = logging.INFO,
    stream: TextIO | None = None,
    quiet: bool = False,
) -> None:
    """Configure the root logger of this process; called once, by a `main`.

    Args:
        role: who logs.
        file: JSON lines are appended here; its folder is made.
        level: lowest level in the file; people see warnings and above unless it is lower.
        stream: where people read; standard error by default.
        quiet: nothing for people.
    """
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        to_file = logging.FileHandler(file, encoding="utf-8")
        to_file.setFormatter(JsonFormatter(role))
        root.addHandler(to_file)
    if not quiet:
        to_people = logging.StreamHandler(stream or sys.stderr)
        to_people.setFormatter(HumanFormatter(role))
        to_people.setLevel(logging.WARNING if level >= logging.INFO else level)
        root.addHandler(to_people)
    quieten()


def quieten() -> None:
    """Only warnings of libraries are logged, whatever they set up by themselves."""
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
