"""The only place where ids are made.

Ids are deterministic wherever a second delivery or a second worker may decide the same thing:
an event's id hashes what the event decides, never who decided it, when, or why now.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterable
from datetime import datetime

RUN_SCOPE = "_run"
"""Problem id of the events that concern a whole run."""

REFUSED_INPUT_PREFIX = "_in-"
"""Prefix of the problem id under which an input that never became a problem is refused."""

_TOKEN = re.compile(r"[a-z0-9_-]{1,64}")
_UNSAFE = re.compile(r"[^a-z0-9_-]+")


def digest(*parts: str | bytes) -> str:
    """Hex SHA-256 of the parts, each preceded by its length so that borders count."""
    state = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        state.update(len(raw).to_bytes(8, "big"))
        state.update(raw)
    return state.hexdigest()


def event_id(run_id: str, problem_id: str, name: str, decides: Iterable[str | int]) -> str:
    """Deterministic event id: 32 hex digits over run, problem, event name and decision."""
    parts = json.dumps([run_id, problem_id, name, list(decides)], ensure_ascii=False)
    return digest(parts)[:32]


def new_run_id(now: datetime) -> str:
    """A fresh run id: sortable by start time, with 32 random bits against collisions.

    Args:
        now: aware time of the start.
    """
    return f"r{now:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


def refused_input_id(input_digest: str) -> str:
    """Problem id under which a refused input is recorded."""
    return REFUSED_INPUT_PREFIX + input_digest[:16]


def token(real_id: str) -> str:
    """NATS subject token of an id: `[a-z0-9_-]`, at most 64 characters, collision-free.

    An id that is already such a token stays itself; any other is cut, lowered and gets a digest
    of the real id, so that `Foo`, `foo` and `föö` stay apart.
    """
    if _TOKEN.fullmatch(real_id):
        return real_id
    stem = _UNSAFE.sub("-", real_id.lower()).strip("-")[:48]
    return f"{stem}-{digest(real_id)[:10]}" if stem else digest(real_id)[:16]
