"""What the checker program answers, as typed values; a missing field is a protocol error."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragsolver_contracts.lean import Diagnostic, Position, TextPart
from ragsolver_verifier.errors import ProtocolError

_LONGEST_TEXT = 8_000
_MOST_DIAGNOSTICS = 60
_MOST_GOALS = 12


class _Answered(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Message(_Answered):
    """One message of Lean."""

    severity: Literal["info", "warning", "error"]
    pos: Position
    end_pos: Position | None = Field(default=None, alias="endPos")
    data: str
    kind: str = ""
    """Lean's own name of it, or `parser`."""
    token: str = ""
    """The word of the text at which the parser stopped."""
    candidates: tuple[str, ...] = Field(default=(), strict=False)
    """Declarations that an unknown name may stand for."""
    part: TextPart = "whole"
    """What the positions count in; the program itself knows only the whole text."""


class Finding(_Answered):
    """One forbidden construct; an axiom is one that the text uses by name or by a tactic."""

    what: Literal["command", "syntax", "option", "attribute", "axiom"]
    name: str
    pos: Position | None = None
    part: TextPart = "whole"


class Hole(_Answered):
    """One `sorry` in the text, with its goal."""

    goal: str
    pos: Position | None = None
    end_pos: Position | None = Field(default=None, alias="endPos")
    term: bool = False
    """Whether it stands for a term."""
    view: dict[str, Any] | None = None
    part: TextPart = "whole"


class KernelFailure(_Answered):
    """A declaration that the kernel does not accept."""

    name: str
    error: str


class Kernel(_Answered):
    """The kernel's second look at every new declaration."""

    ok: bool
    checked: int
    new: int
    failed: tuple[KernelFailure, ...] = Field(strict=False)


class Declared(_Answered):
    """A new declaration that the theorem rests on."""

    name: str
    kind: str
    safe: bool


class Evidence(_Answered):
    """Everything that the checker found out about one candidate.

    The fields from `kind` on are there when exactly one declaration has the asked name.
    """

    status: Literal["checked"]
    complete: bool
    ms: float = Field(strict=False)
    messages: tuple[Message, ...] = Field(strict=False)
    forbidden: tuple[Finding, ...] = Field(strict=False)
    sorries: tuple[Hole, ...] = Field(default=(), strict=False)
    goals: tuple[str, ...] = Field(default=(), strict=False)
    """What is left to prove where it fails, with hypotheses, as Lean prints it."""
    named: tuple[str, ...] = Field(default=(), strict=False)
    """Library declarations that the text of a complete candidate names."""
    declared: int = 0
    kernel: Kernel | None = None
    kind: str = ""
    in_kernel: bool = False
    type_equal: bool = False
    axioms: tuple[str, ...] = Field(default=(), strict=False)
    new_axioms: tuple[str, ...] = Field(default=(), strict=False)
    rests_on: tuple[Declared, ...] = Field(default=(), strict=False)
    constants: tuple[str, ...] = Field(default=(), strict=False)


def read_evidence(result: object) -> Evidence:
    """The evidence in one result of a `check` answer.

    Raises:
        ProtocolError: it is not what the checker program answers.
    """
    try:
        return Evidence.model_validate(result)
    except ValidationError as error:
        raise ProtocolError(f"the checker's answer cannot be read: {error}") from error


def open_goals(evidence: Evidence) -> tuple[str, ...]:
    """Goals of every `sorry`, then those at which the text fails, each once."""
    found = [hole.goal for hole in evidence.sorries] + list(evidence.goals)
    distinct = dict.fromkeys(goal.strip() for goal in found)
    return tuple(goal for goal in distinct if goal)[:_MOST_GOALS]


def diagnostics(messages: object, part: TextPart | None = None) -> tuple[Diagnostic, ...]:
    """Lean's messages as diagnostics; long texts and long lists are cut, of lists errors last.

    Args:
        messages: as the checker program answers them, or as read.
        part: what their positions count in, where they do not say it.

    Raises:
        ProtocolError: they are not what the checker program answers.
    """
    try:
        items = messages if isinstance(messages, list | tuple) else ()
        read = [
            item if isinstance(item, Message) else Message.model_validate(item) for item in items
        ]
    except ValidationError as error:
        raise ProtocolError(f"the checker's messages cannot be read: {error}") from error
    return tuple(
        Diagnostic(
            severity=item.severity,
            text=item.data[:_LONGEST_TEXT],
            part=part or item.part,
            start=item.pos,
            end=item.end_pos,
            kind=item.kind,
        )
        for item in _first(read)
    )


def _first(messages: list[Message]) -> list[Message]:
    """As many as are told, in order; where that is not all, errors are kept before the others."""
    if len(messages) <= _MOST_DIAGNOSTICS:
        return messages
    by_weight = sorted(range(len(messages)), key=lambda i: messages[i].severity != "error")
    return [messages[i] for i in sorted(by_weight[:_MOST_DIAGNOSTICS])]


def require_nonce(answer: Mapping[str, Any], nonce: str) -> None:
    """The answer must be to this very request.

    Raises:
        ProtocolError: it is to another one, or the checker could not read the request.
    """
    if answer.get("nonce") != nonce:
        raise ProtocolError("the Lean process answered another request than the one it was asked")
    if "error" in answer:
        raise ProtocolError(f"the checker program could not do the request: {answer['error']}")
