"""What the checker program answers, as typed values; a missing field is a protocol error."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ragsolver_contracts.lean import Diagnostic, Position, TextPart
from ragsolver_verifier.errors import ProtocolError

_LONGEST_TEXT = 8_000
_MOST_DIAGNOSTICS = 60


class _Answered(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Message(_Answered):
    """One message of Lean."""

    severity: Literal["info", "warning", "error"]
    pos: Position
    end_pos: Position | None = Field(default=None, alias="endPos")
    data: str
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
    sorries: tuple[Hole, ...] = Field(strict=False)
    forbidden: tuple[Finding, ...] = Field(strict=False)
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


def diagnostics(messages: object, part: TextPart | None = None) -> tuple[Diagnostic, ...]:
    """Lean's messages as diagnostics; long texts and long lists are cut.

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
        )
        for item in read[:_MOST_DIAGNOSTICS]
    )


def require_nonce(answer: Mapping[str, Any], nonce: str) -> None:
    """The answer must be to this very request.

    Raises:
        ProtocolError: it is to another one, or the checker could not read the request.
    """
    if answer.get("nonce") != nonce:
        raise ProtocolError("the Lean process answered another request than the one it was asked")
    if "error" in answer:
        raise ProtocolError(f"the checker program could not do the request: {answer['error']}")
