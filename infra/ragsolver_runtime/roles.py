"""The worker roles that are installed, found through the entry point group `ragsolver.workers`."""

import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from ragsolver_runtime.doctor import extra_of, lacks_extra
from ragsolver_runtime.errors import ConfigError, PermanentError
from ragsolver_runtime.intake import ROLE as INTAKE
from ragsolver_runtime.llm.settings import KEY_VARIABLES
from ragsolver_runtime.supervisor import ChildSpec
from ragsolver_runtime.telemetry.gathering import socket_of
from ragsolver_runtime.worker import WorkerSpec

ENTRY_POINT_GROUP = "ragsolver.workers"

_KEYLESS = frozenset({INTAKE, "retriever", "verifier"})
"""Roles that ask no model: they do not get its key."""


class MissingExtraError(PermanentError):
    """A part of the product is not installed; the message has the command that installs it."""


def asks_model(role: str) -> bool:
    """Whether a role asks language models: gets a key for one, and shares their limits."""
    return role not in _KEYLESS


def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINT_GROUP)}


def worker_roles() -> list[str]:
    """Every role that the installed packages offer, without the intake."""
    return sorted(_entries())


def load_role(role: str) -> WorkerSpec:
    """The worker of a role.

    Raises:
        ConfigError: there is no such role.
        MissingExtraError: its package lacks something that an extra installs.
    """
    entry = _entries().get(role)
    if entry is None:
        known = ", ".join([*worker_roles(), INTAKE])
        raise ConfigError(f"no worker role {role!r}: the installed ones are {known}")
    try:
        spec = entry.load()
    except ImportError as error:
        if not lacks_extra(error):
            raise
        raise MissingExtraError(
            f"worker {role} cannot be loaded ({error}): pip install '{extra_of(entry)}'"
        ) from error
    if not isinstance(spec, WorkerSpec):
        raise ConfigError(f"entry point {entry.value} of role {role!r} is no WorkerSpec")
    return spec


def parse_scale(flags: tuple[str, ...]) -> dict[str, int]:
    """Numbers of processes by role, 1 for every role that is not named.

    Args:
        flags: each `role=count`, or several of them with commas between: `verifier=4,critic=2`.

    Raises:
        ConfigError: an unknown role, a role named twice, or a bad number.
    """
    known = [INTAKE, *worker_roles()]
    named: dict[str, int] = {}
    for flag in flags:
        for part in flag.split(","):
            role, _, number = (text.strip() for text in part.partition("="))
            if role not in known or not (number.isascii() and number.isdecimal()):
                raise ConfigError(
                    f"--scale {flag}: {part.strip() or 'nothing'!r} is not ROLE=NUMBER with a "
                    f"role of {', '.join(known)}; several stand as verifier=4,retriever=2"
                )
            if role in named:
                raise ConfigError(f"--scale {flag}: {role} is named twice")
            named[role] = int(number)
    return dict.fromkeys(known, 1) | named


def worker_processes(
    counts: dict[str, int],
    settings: tuple[str, ...],
    logs: Path,
    inbox: str,
    sockets: Path | None = None,
) -> list[ChildSpec]:
    """One process per worker, each an independent `ragsolver worker ROLE`.

    Where the bus is, it learns from its environment: a URL may hold a password, and everybody on
    the machine sees arguments.

    Args:
        counts: number of processes by role.
        settings: `--set` values for workers.
        logs: folder of their output.
        inbox: run configuration of inputs that name no run.
        sockets: folder of the socket files on which they are asked for numbers.
    """
    flags = tuple(part for value in settings for part in ("--set", value))
    found = []
    for role, count in counts.items():
        for number in range(1, count + 1):
            name = f"{role}-{number}"
            command = (sys.executable, "-m", "ragsolver_runtime.cli", "worker", role)
            log = ("--log-file", str(logs / f"{name}.jsonl"))
            config = ("--config", inbox) if role == INTAKE else ()
            asked = () if sockets is None else ("--metrics-socket", str(socket_of(sockets, name)))
            arguments = (*command, *log, *config, *asked, *flags)
            withheld = () if asks_model(role) else KEY_VARIABLES
            found.append(ChildSpec(name, arguments, logs / f"{name}.log", withheld))
    return found
