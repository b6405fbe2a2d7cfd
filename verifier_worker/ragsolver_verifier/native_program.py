"""The checker program under the native toolchain."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_runtime.lean_advisories import advisories_of
from ragsolver_verifier.isolation import Containment, IsolationPolicy, contain
from ragsolver_verifier.replay import Confine
from ragsolver_verifier.sandbox import DEVICES, View, shared_libraries
from ragsolver_verifier.session import Program
from ragsolver_verifier.toolchain.native import NativeToolchain, require_native
from ragsolver_verifier.toolchain.repl_layout import written_layout

_DESCRIPTORS: Final = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"
"""Where a process finds its own open files; a sandbox has no `/dev/fd`."""


def native_program(
    toolchain: NativeToolchain | None = None,
    *,
    log: Path | None = None,
    policy: IsolationPolicy = IsolationPolicy.CONTAINED,
) -> Program:
    """How to start the checker with the native toolchain.

    Args:
        toolchain: the toolchain; the built one when None.
        log: file that the process's standard error is appended to; nowhere when None.
        policy: what untrusted code must be kept in.

    Raises:
        ToolchainMissing: the toolchain is not built; says what to run.
        IsolationError: the policy requires a sandbox, as all but `off` do with this toolchain,
            and it cannot be had; says what to install.
    """
    found = toolchain or require_native()
    kept = native_containment(found, policy)
    script = launcher(found, log=log, sandbox=kept.prefix)
    layout = written_layout(found.lean_version, script, found.project / ".repl")
    return Program(
        layout.local_repl_path,
        layout.lake_path,
        described(found),
        kept.isolation,
        sandbox=kept.sandbox,
    )


def native_containment(toolchain: NativeToolchain, policy: IsolationPolicy) -> Containment:
    """How the checker is contained: by the sandbox, or by nothing if that is switched off.

    Raises:
        IsolationError: a sandbox is required and cannot be had; says what to install.
    """
    if policy is IsolationPolicy.OFF:
        return contain(policy, View(()), ())
    return contain(policy, native_view(toolchain), (str(_lean(toolchain)), "--version"))


def native_view(toolchain: NativeToolchain) -> View:
    """What a program of the toolchain must see.

    Raises:
        IsolationError: the libraries of one cannot be told.
    """
    lean = _lean(toolchain)
    libraries = {*shared_libraries(lean), *shared_libraries(toolchain.checker)}
    environment = {name: value for name, value in toolchain.environment().items() if value}
    return View((*toolchain.readable, *libraries), environment, proc=True, devices=DEVICES)


def replay_confinement(toolchain: NativeToolchain, policy: IsolationPolicy) -> Confine:
    """How the programs that replay a proof are contained: they may write to one folder."""

    def _confine(folder: Path, environment: Mapping[str, str]) -> Sequence[str]:
        if policy is IsolationPolicy.OFF:
            return ()
        view = native_view(toolchain)
        env = {name: value for name, value in environment.items() if value}
        writing = replace(view, env=env, writable=(folder,))
        return contain(policy, writing, (str(_lean(toolchain)), "--version")).prefix

    return _confine


def _lean(toolchain: NativeToolchain) -> Path:
    return toolchain.sysroot / "bin" / "lean"


def described(toolchain: NativeToolchain) -> LeanToolchain:
    """What verdicts say about it."""
    return LeanToolchain(
        kind="native",
        lean_version=toolchain.lean_version,
        commit=toolchain.commit,
        package=f"leanprover/lean4:v{toolchain.lean_version}",
        digest=toolchain.digest,
        mathlib=toolchain.mathlib,
        advisories=tuple(advisory.id for advisory in advisories_of(toolchain.lean_version)),
    )


def launcher(
    toolchain: NativeToolchain, *, log: Path | None = None, sandbox: Sequence[str] = ()
) -> str:
    """The shell script that starts the checker with its channel out of a candidate's way.

    Standard input becomes empty and standard output goes where standard error goes, so that what
    a candidate prints cannot be an answer; the conversation goes over descriptors 3 and 4. A
    sandbox must show `/proc` and keep open descriptors.
    """
    variables = [f"{name}={value}" for name, value in toolchain.environment().items() if value]
    ends = [f"{_DESCRIPTORS}/3", f"{_DESCRIPTORS}/4"]
    command = [*sandbox, str(toolchain.checker), "--channel", *ends]
    # A log may grow to 1 GiB, counted in blocks of 512 bytes; without one no file can grow.
    limits = "ulimit -c 0\nulimit -f " + ("2097152" if log else "0")
    target = shlex.quote(str(log.resolve() if log else os.devnull))
    return (
        f"#!/bin/sh\n{limits}\n"
        f"exec 3<&0 4>&1 </dev/null 2>>{target} 1>&2\n"
        f"exec env -i {shlex.join([*variables, *command])}\n"
    )
