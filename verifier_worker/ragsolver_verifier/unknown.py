"""The names that Lean did not know, with what Lean itself proposes instead."""

import re
from collections.abc import Iterable
from typing import Final, Literal

from ragsolver_contracts.lean import UnknownIdentifier
from ragsolver_verifier.evidence import Message

What = Literal["declaration", "field", "namespace", "option", "tactic"]

_NAMED: Final[tuple[tuple[What, re.Pattern[str]], ...]] = (
    ("declaration", re.compile(r"^[Uu]nknown (?:identifier|constant) `([^`]+)`")),
    ("field", re.compile(r"^Invalid field `[^`]+`: The environment does not contain `([^`]+)`")),
    ("namespace", re.compile(r"^[Uu]nknown namespace `([^`]+)`")),
    ("option", re.compile(r"^[Uu]nknown option `([^`]+)`")),
)
_HINT: Final = "\n\nHint: Perhaps you meant "
_INSTEAD: Final = re.compile(r"in place of `[^`]*`")
_QUOTED: Final = re.compile(r"`([^`]+)`")
_MOST: Final = 20
_LONGEST: Final = 200


def unknown_identifiers(messages: Iterable[Message]) -> tuple[UnknownIdentifier, ...]:
    """Names that Lean did not know, in the order of its messages, each once.

    A field is told by the full name that was looked up: `Eq.foo` for `h.foo`.

    Args:
        messages: what Lean said.
    """
    found: dict[str, UnknownIdentifier] = {}
    for message in messages:
        told = _told(message) if message.severity == "error" else None
        if told is not None and len(told.name) <= _LONGEST:
            found.setdefault(told.name, told)
    return tuple(found.values())[:_MOST]


def _told(message: Message) -> UnknownIdentifier | None:
    if message.token and message.data.startswith("unknown tactic"):
        return _entry("tactic", message.token, message, ())
    for what, pattern in _NAMED:
        match = pattern.search(message.data)
        if match is not None:
            return _entry(what, match[1], message, suggestions(message))
    return None


def _entry(
    what: What, name: str, message: Message, proposed: tuple[str, ...]
) -> UnknownIdentifier:
    return UnknownIdentifier(
        name=name, what=what, part=message.part, start=message.pos, suggestions=proposed
    )


def suggestions(message: Message) -> tuple[str, ...]:
    """What Lean proposes instead: the hint of its message, then what the name may stand for."""
    hint = message.data.partition(_HINT)[2]
    hinted = _QUOTED.findall(_INSTEAD.sub("", hint))
    return tuple(dict.fromkeys([*hinted, *message.candidates]))
