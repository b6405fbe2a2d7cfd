"""Namespaces, sections and variables that are open at a place of a Lean file."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from ragsolver_rag.source.signature import Variable


@dataclass
class _Scope:
    kind: Literal["namespace", "section", "mutual"]
    parts: list[str]
    variables: list[Variable] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)


class Scopes:
    """What is open; changed command by command."""

    def __init__(self) -> None:
        """Begin at the top of a file."""
        self._stack = [_Scope("section", [])]

    def enter(self, kind: Literal["namespace", "section", "mutual"], name: str) -> None:
        """Open a scope; its name may be dotted or, but for a namespace, empty."""
        self._stack.append(_Scope(kind, name.split(".") if name else []))

    def leave(self, name: str) -> None:
        """Close what `end name` closes; an `end` too many closes nothing."""
        remaining = len(name.split(".")) if name else 1
        while remaining > 0 and len(self._stack) > 1:
            top = self._stack[-1]
            if len(top.parts) > remaining:
                del top.parts[-remaining:]
                return
            remaining -= max(1, len(top.parts))
            self._stack.pop()

    def open(self, names: Sequence[str]) -> None:
        """Remember `open` names until the scope ends."""
        self._stack[-1].opened.extend(names)

    def declare(self, variables: Sequence[Variable]) -> None:
        """Remember `variable` binders until the scope ends."""
        self._stack[-1].variables.extend(variables)

    @property
    def namespace(self) -> list[str]:
        """Components of the current namespace."""
        return [p for scope in self._stack if scope.kind == "namespace" for p in scope.parts]

    @property
    def variables(self) -> list[Variable]:
        """All binders in scope, the outermost first."""
        return [v for scope in self._stack for v in scope.variables]

    def qualified(self, name: str) -> str:
        """Full name of a declaration written with this name here."""
        name = name.replace("«", "").replace("»", "")
        if name.startswith("_root_."):
            return name.removeprefix("_root_.")
        return ".".join([*self.namespace, name])

    def candidates(self, name: str) -> tuple[str, ...]:
        """Full names that a name used here may mean, the innermost namespace first."""
        if name.startswith("_root_."):
            return (name.removeprefix("_root_."),)
        inner = self.namespace
        found = [".".join([*inner[:n], name]) for n in range(len(inner), 0, -1)]
        opened = (o for scope in reversed(self._stack) for o in reversed(scope.opened))
        return tuple(dict.fromkeys([*found, *(f"{o}.{name}" for o in opened), name]))
