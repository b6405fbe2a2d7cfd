"""What Lean says: positions, diagnostics, goals, toolchains and the view of a statement."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from ragsolver_contracts.base import Model


class Position(Model):
    """A place in a text, as Lean counts."""

    line: int = Field(ge=0)
    """1-based line."""
    column: int = Field(ge=0)
    """0-based column in Unicode code points."""


TextPart = Literal["whole", "preamble", "statement", "proof", "header"]
"""Which text a position counts in; its first character is line 1, column 0.

`preamble` and `proof` are the candidate's own, as is a `whole` text that states the theorem
itself; `statement` and `header` are ours. A byte order mark is no character.
"""


class Diagnostic(Model):
    """One message of Lean (the REPL calls it a message)."""

    severity: Literal["info", "warning", "error"]
    text: str
    part: TextPart = "whole"
    """The text in which it starts."""
    start: Position
    end: Position | None = None
    """None also where it ends in another part."""
    kind: str = ""
    """Lean's own name of the message, for example `lean.unknownIdentifier`; often it has none.

    `parser`: the text cannot be read.
    """


class UnknownIdentifier(Model):
    """A name that Lean did not know."""

    name: str
    """In full: for a field `h.foo` the declaration that was looked up, `Eq.foo`."""
    what: Literal["declaration", "field", "namespace", "option", "tactic"] = "declaration"
    part: TextPart = "whole"
    """The text in which it stands."""
    start: Position | None = None
    suggestions: tuple[str, ...] = ()
    """What Lean itself proposes instead: the hint of its message first, then declarations that
    the name may stand for, by Lean's own matching."""


class IsolationLayer(StrEnum):
    """What stands between untrusted Lean code and the machine."""

    WEBASSEMBLY = "webassembly"
    """Lean runs as WebAssembly and sees a file system in memory and no system calls."""
    NODE_PERMISSIONS = "node_permissions"
    """Node's permission model: reads the toolchain, writes nothing, starts nothing."""
    BUBBLEWRAP = "bubblewrap"
    """Linux namespaces by bubblewrap: no network, an empty file system but for the toolchain."""


class Isolation(Model):
    """What was in force while untrusted Lean code ran."""

    layers: tuple[IsolationLayer, ...] = ()
    sandboxed: bool = False
    """Whether an operating-system sandbox is among the layers."""
    detail: str = ""
    """Version of the sandbox, or why there is none."""


class LeanToolchain(Model):
    """Which Lean answered."""

    kind: Literal["embedded", "native"]
    lean_version: str
    commit: str = ""
    package: str = ""
    digest: str = ""
    """Digest of what was installed."""
    mathlib: str = ""
    """Mathlib revision; empty where there is none."""
    advisories: tuple[str, ...] = ()
    """Known kernel advisories that concern this toolchain."""


class Expression(Model):
    """An elaborated term, without its instances and implicit arguments.

    A term of another form than those of `kind` is `other`, with its text alone.
    """

    kind: Literal[
        "numeral", "variable", "constant", "forall", "implies", "fun", "string", "sort", "other"
    ]
    name: str = ""
    """Full name of a constant; name of a variable, or of the variable that a binder binds."""
    sort: str = ""
    """Constant at the head of a numeral's type, or of a constant's first implicit argument: the
    type of both sides of an equation, for example."""
    value: int | None = None
    """Of a numeral."""
    args: tuple["Expression", ...] = ()
    """Explicit arguments of a constant or variable; of a binder its type and its body."""
    text: str = ""
    """Of a string or of another term, as Lean prints it."""


class Binder(Model):
    """One binder of an elaborated statement."""

    name: str
    type: str
    """Pretty-printed type."""
    expression: Expression | None = None
    """The type as a term."""
    binder: Literal["explicit", "implicit", "strict_implicit", "instance"] = "explicit"
    is_prop: bool = False
    """Whether it is a hypothesis."""


class StatementView(Model):
    """A statement as elaborated, the only way in which a strategy reads it."""

    type: str
    """The whole pretty-printed type."""
    level_params: tuple[str, ...] = ()
    binders: tuple[Binder, ...] = ()
    target: str
    """Pretty-printed target after the binders."""
    expression: Expression | None = None
    """The target as a term."""
    target_head: str = ""
    """Constant at the head of the target, for example `Eq` or `Dvd.dvd`."""
    constants: tuple[str, ...] = ()
    """Constants that occur in the statement."""
    own_constants: tuple[str, ...] = ()
    """Those of them that the header itself declares."""
    numerals: tuple[int, ...] = ()
    """Natural-number literals that occur in the statement, ascending."""


class HoleView(Model):
    """One `sorry` of a proof, with its goal as elaborated."""

    start: Position
    """In the proof's own text."""
    end: Position
    is_term: bool = False
    """Whether it stands for a term and not for a tactic."""
    view: StatementView
    """The goal under its hypotheses."""
