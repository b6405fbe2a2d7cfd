"""What an installation reports while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Step = Literal[
    "wait",
    "fetch",
    "verify",
    "unpack",
    "patch",
    "probe",
    "compile",
    "toolchain",
    "packages",
    "cache",
    "build",
    "done",
]


@dataclass(frozen=True)
class InstallProgress:
    """One report: a step began or went on.

    Attributes:
        step: the step of the installation.
        message: one line for people.
        done: work done within the step, in `unit`.
        total: the step's work, in `unit`; 0 where it is not known.
        unit: what is counted: bytes, files or steps.
    """

    step: Step
    message: str
    done: int = 0
    total: int = 0
    unit: Literal["bytes", "files", "steps"] = "bytes"


Report = Callable[[InstallProgress], None]


def silent(_: InstallProgress) -> None:
    """Report to nobody."""
