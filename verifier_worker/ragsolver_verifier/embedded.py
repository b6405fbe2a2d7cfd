"""The checker program under the embedded toolchain."""

from collections.abc import Sequence
from pathlib import Path

from ragsolver_contracts.lean import Isolation, LeanToolchain
from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.isolation import EMBEDDED_LAYERS, Containment, IsolationPolicy, contain
from ragsolver_verifier.sandbox import View, shared_libraries
from ragsolver_verifier.session import Program
from ragsolver_verifier.toolchain.compile import compile_program
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain, program_argv, require
from ragsolver_verifier.toolchain.node import node_path
from ragsolver_verifier.toolchain.repl_layout import repl_layout

_MAY_READ = "--allow-fs-read="


def embedded_program(
    toolchain: EmbeddedToolchain | None = None,
    *,
    log: Path | None = None,
    advisories: tuple[str, ...] = (),
    policy: IsolationPolicy = IsolationPolicy.CONTAINED,
) -> Program:
    """How to start the checker with the embedded toolchain.

    Args:
        toolchain: the toolchain; the installed one when None.
        log: file that the process's standard error is appended to; nowhere when None.
        advisories: known kernel advisories that verdicts should name.
        policy: what untrusted code must be kept in.

    Raises:
        ToolchainMissing: the toolchain is not installed; says what to run.
        ToolchainError: the checker does not compile.
        IsolationError: the policy requires a sandbox that cannot be had; says what to install.
    """
    found = toolchain or require()
    programs = resource_dir("lean_project")
    checker = programs / "Checker.lean"
    compile_program(found, checker, programs / "Loader.lean")
    kept = embedded_containment(found, checker, policy)
    layout = repl_layout(found, checker, log=log, prefix=kept.prefix)
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
        kept.isolation,
        sandbox=kept.sandbox,
    )


def embedded_containment(
    toolchain: EmbeddedToolchain, program: Path, policy: IsolationPolicy
) -> Containment:
    """How a Lean program is contained when the embedded toolchain runs it.

    Raises:
        IsolationError: the policy requires a sandbox that cannot be had; says what to install.
    """
    if policy is IsolationPolicy.OFF:
        return contain(policy, View(()), (), layers=EMBEDDED_LAYERS)
    node = node_path()
    try:
        view = node_view(program_argv(toolchain, program))
    except IsolationError as error:
        if policy is IsolationPolicy.SANDBOXED:
            raise
        said = f"no sandbox: {error}"
        return Containment(Isolation(layers=EMBEDDED_LAYERS, detail=said))
    return contain(policy, view, (str(node), "--version"), layers=EMBEDDED_LAYERS)


def node_view(argv: Sequence[str]) -> View:
    """What a Node command must see: Node with its libraries, and what Node itself may read.

    Raises:
        IsolationError: Node's libraries cannot be told.
    """
    node = Path(argv[0])
    allowed = [Path(word.removeprefix(_MAY_READ)) for word in argv if word.startswith(_MAY_READ)]
    return View((node, *shared_libraries(node), *allowed))
