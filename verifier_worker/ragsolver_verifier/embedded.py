"""The checker program under the embedded toolchain."""

from pathlib import Path

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.session import Program
from ragsolver_verifier.toolchain.compile import compile_program
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain, require
from ragsolver_verifier.toolchain.repl_layout import repl_layout


def embedded_program(
    toolchain: EmbeddedToolchain | None = None,
    *,
    log: Path | None = None,
    advisories: tuple[str, ...] = (),
) -> Program:
    """How to start the checker with the embedded toolchain.

    Args:
        toolchain: the toolchain; the installed one when None.
        log: file that the process's standard error is appended to; nowhere when None.
        advisories: known kernel advisories that verdicts should name.

    Raises:
        ToolchainMissing: the toolchain is not installed; says what to run.
        ToolchainError: the checker does not compile.
    """
    found = toolchain or require()
    programs = resource_dir("lean_project")
    checker = programs / "Checker.lean"
    compile_program(found, checker, programs / "Loader.lean")
    layout = repl_layout(found, checker, log=log)
    return Program(
        layout.local_repl_path,
        layout.lake_path,
        LeanToolchain(
            kind="embedded",
            lean_version=found.lean_version,
            commit=found.commit,
            package=found.package,
            digest=found.digest,
            advisories=advisories,
        ),
    )
