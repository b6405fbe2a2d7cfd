"""Events about the statement: as Lean reads it, and as a model writes it for words alone."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field, model_validator

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.lean import Diagnostic, LeanToolchain, StatementView
from ragsolver_contracts.problem import RefusalReason


class StatementProposed(Payload):
    """The formalizer wrote a Lean statement for a problem in words; untrusted."""

    NAME: ClassVar[str] = "statement_proposed"

    statement: int = Field(ge=1)
    """Number of the machine-written statement within the problem."""
    formal_statement: str = Field(max_length=200_000)
    """Lean 4 declaration without proof, ending before `:=`."""
    declaration: str = ""
    header: str = Field(default="", max_length=50_000)
    notes: str = ""
    """How the words were read."""

    def decides(self) -> Sequence[str | int]:
        """One statement per number."""
        return (self.statement,)


class StatementChecked(Payload):
    """A statement was elaborated alone, before anything is tried."""

    NAME: ClassVar[str] = "statement_checked"

    statement: int = Field(default=0, ge=0)
    """0: the asker's own; n: the n-th machine-written one."""
    statable: bool
    reason: RefusalReason | None = None
    """Why it is not statable."""
    detail: str = ""
    header: str = ""
    """The header under which it elaborates."""
    mathlib: bool = False
    """Whether that header gives Mathlib."""
    compatibility: bool = False
    """Whether the header is not the problem's own but the core-Lean compatibility header."""
    statement_digest: str = ""
    view: StatementView | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    toolchain: LeanToolchain | None = None

    def decides(self) -> Sequence[str | int]:
        """One check per statement; the asker's own needs no number."""
        return (self.statement,) if self.statement else ()

    @model_validator(mode="after")
    def _consistent(self) -> "StatementChecked":
        if self.statable != (self.view is not None):
            raise ValueError("a view exists exactly for a statable statement")
        if self.statable == (self.reason is not None):
            raise ValueError("a reason exists exactly for a statement that is not statable")
        return self


class StatementJudged(Payload):
    """The critic judged whether a machine-written statement says what the words say."""

    NAME: ClassVar[str] = "statement_judged"

    statement: int = Field(ge=1)
    faithful: bool
    reason: str
    """In one or two sentences."""
    issues: tuple[str, ...] = ()
    """What differs from the words."""

    def decides(self) -> Sequence[str | int]:
        """One judgement per statement."""
        return (self.statement,)
