"""Which isolation a Lean process gets: the policy, what it allows, and what verdicts then say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from ragsolver_contracts.lean import Isolation, IsolationLayer
from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.sandbox import View, find_sandbox, require_confined, try_sandbox


class IsolationPolicy(StrEnum):
    """What untrusted Lean code must be kept in."""

    CONTAINED = "contained"
    """At least one tested mechanism: the embedded toolchain is one by itself and gets the
    operating-system sandbox as well wherever that works; the native toolchain requires it."""
    SANDBOXED = "sandboxed"
    """The operating-system sandbox, with either toolchain."""
    OFF = "off"
    """No sandbox: native Lean then reaches whatever its user reaches."""


EMBEDDED_LAYERS: Final = (IsolationLayer.WEBASSEMBLY, IsolationLayer.NODE_PERMISSIONS)


@dataclass(frozen=True)
class Containment:
    """What was decided for one program.

    Attributes:
        isolation: what verdicts say.
        prefix: command that the program's own command is put behind; empty without a sandbox.
        sandbox: the sandbox's executable, where there is one.
    """

    isolation: Isolation = field(default_factory=Isolation)
    prefix: tuple[str, ...] = ()
    sandbox: Path | None = None


def contain(
    policy: IsolationPolicy,
    view: View,
    trial: Sequence[str],
    *,
    layers: tuple[IsolationLayer, ...] = (),
) -> Containment:
    """Decide how to contain a program; the sandbox is tried, not only looked for.

    Args:
        policy: what is required.
        view: what the program must see.
        trial: a command that ends by itself with 0 and needs nothing but the view.
        layers: what contains the program by itself; `EMBEDDED_LAYERS` or nothing.

    Raises:
        IsolationError: the policy requires the sandbox, and it is missing or does not work.
    """
    if policy is IsolationPolicy.OFF:
        said = "no sandbox: switched off by the setting `isolation`"
        return Containment(Isolation(layers=layers, detail=said))
    try:
        sandbox = find_sandbox()
        try_sandbox(sandbox, view, trial)
    except IsolationError as error:
        if policy is IsolationPolicy.CONTAINED and layers:
            return Containment(Isolation(layers=layers, detail=f"no sandbox: {error}"))
        raise IsolationError(
            f"{error}. The setting `isolation = {str(policy)!r}` requires a sandbox"
            f"{'' if layers else ' for the native toolchain'}"
        ) from error
    return Containment(
        Isolation(
            layers=(*layers, IsolationLayer.BUBBLEWRAP),
            sandboxed=True,
            detail=f"bubblewrap {sandbox.version}",
        ),
        sandbox.prefix(view),
        sandbox.executable,
    )


def require_in_force(isolation: Isolation, sandbox: Path | None, pid: int) -> None:
    """What is said of a running process is so.

    Args:
        isolation: what verdicts say.
        sandbox: the sandbox's executable, where there is one.
        pid: of the process that was started.

    Raises:
        IsolationError: the sandbox is not in force, or nothing tells which it would be.
    """
    if sandbox is not None:
        require_confined(pid, sandbox)
    elif isolation.sandboxed:
        raise IsolationError("a sandbox is said to be in force, but none was started")
