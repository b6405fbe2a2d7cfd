"""`ragsolver lean`: the Lean toolchains on the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.cli_check import check_command
from ragsolver_verifier.cli_lean_status import status_command
from ragsolver_verifier.cli_serve import ask_command, serve_command
from ragsolver_verifier.toolchain.compile import compile_program
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.install import install
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain
from ragsolver_verifier.toolchain.native import NativeToolchain
from ragsolver_verifier.toolchain.native_install import install_native
from ragsolver_verifier.toolchain.progress import InstallProgress, Report


@click.group()
def lean() -> None:
    """The Lean toolchains that check the proofs."""


@lean.command("install")
@click.option(
    "--native",
    is_flag=True,
    help="Install the native toolchain with Mathlib instead: needs elan, the network, and about "
    "12 GiB of disk.",
)
@click.option("--force", is_flag=True, help="Install again even if it is there.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line on standard output.")
def install_command(*, native: bool, force: bool, as_json: bool) -> None:
    """Fetch, verify and patch the embedded Lean toolchain into the cache.

    Can be interrupted and run again at any time; does nothing when all is there.
    """
    installed: EmbeddedToolchain | NativeToolchain
    try:
        with _reporter(as_json=as_json) as report:
            if native:
                installed = install_native(report, force=force)
            else:
                installed = install_all(report, force=force)
    except ToolchainError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps({"step": "installed", **describe(installed)}))
    elif isinstance(installed, NativeToolchain):
        click.echo(
            f"Lean {installed.lean_version} with Mathlib {installed.mathlib[:12]} in "
            f"{installed.project}"
        )
    else:
        click.echo(f"Lean {installed.lean_version} ({installed.package}) in {installed.root}")


def install_all(report: Report, *, force: bool = False) -> EmbeddedToolchain:
    """Install the toolchain and compile the checker for it.

    Raises:
        ToolchainError: a step failed; the message says which and what to do.
    """
    toolchain = install(report, force=force)
    programs = resource_dir("lean_project")
    report(InstallProgress("compile", "compiling the checker"))
    compile_program(toolchain, programs / "Checker.lean", programs / "Loader.lean")
    report(InstallProgress("done", "everything is in place"))
    return toolchain


def describe(toolchain: EmbeddedToolchain | NativeToolchain) -> dict[str, str | list[str]]:
    """The toolchain as JSON-ready values."""
    return {
        name: list(value) if isinstance(value, tuple) else str(value)
        for name, value in asdict(toolchain).items()
    }


@contextmanager
def _reporter(*, as_json: bool) -> Iterator[Report]:
    if as_json:
        yield lambda progress: click.echo(json.dumps(asdict(progress)))
    elif sys.stderr.isatty():
        with _rich_progress() as show:
            yield show
    else:
        yield PlainLines()


class PlainLines:
    """Prints a line when the step or its message changes, and at each tenth of a step."""

    def __init__(self) -> None:
        self._last: tuple[str, str, int] | None = None

    def __call__(self, progress: InstallProgress) -> None:
        """Report one step."""
        tenth = 10 * progress.done // progress.total if progress.total else 0
        key = (progress.step, progress.message, tenth)
        if key != self._last:
            share = f" {10 * tenth} %" if progress.total else ""
            click.echo(f"{progress.step}: {progress.message}{share}", err=True)
            self._last = key


@contextmanager
def _rich_progress() -> Iterator[Report]:
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[amount]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    task = bars.add_task("", total=None, amount="")

    def show(progress: InstallProgress) -> None:
        bars.update(
            task,
            description=progress.message,
            completed=progress.done,
            total=progress.total or None,
            amount=_amount(progress),
        )

    with bars:
        yield show


def _amount(progress: InstallProgress) -> str:
    if progress.done == 0:
        return ""
    if progress.unit != "bytes":
        of = f" of {progress.total}" if progress.total else ""
        return f"{progress.done}{of} {progress.unit}"
    return f"{progress.done / 1e6:.0f} of {progress.total / 1e6:.0f} MB"


lean.add_command(check_command)
lean.add_command(serve_command)
lean.add_command(ask_command)
lean.add_command(status_command)
