"""`ragsolver lean check`: judge the theorems of Lean files by the trusted procedure."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from contextlib import aclosing

import click
from rich.console import Console

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Tier
from ragsolver_runtime.cli.options import examples, load_tables, output
from ragsolver_runtime.config import settings_as
from ragsolver_runtime.hosting import run_interruptibly
from ragsolver_verifier.check_file import Asked, FileCheck
from ragsolver_verifier.check_files import findings, jobs_for
from ragsolver_verifier.errors import LeanFailureError
from ragsolver_verifier.finding import FAILED, Finding, Summary, summarize
from ragsolver_verifier.lean_sources import STDIN, Source, sources
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.show_findings import as_text, progress_on, summary_table
from ragsolver_verifier.tiers import TIERS, require_tier
from ragsolver_verifier.toolchain.errors import ToolchainError

_EPILOG = (
    examples(
        "ragsolver lean check Proofs.lean",
        "ragsolver lean check --json src > findings.jsonl",
        "ragsolver lean check --statement 'theorem two : 1 + 1 = 2' Answer.lean",
        "cat Proofs.lean | ragsolver lean check -",
    )
    + "\n\n\b\nExit codes: the worst counts"
    + "\n  0  every theorem is accepted"
    + "\n  1  something is rejected, inconclusive or unchecked"
    + "\n  2  wrong usage, a file cannot be read, or there is no theorem at all"
    + "\n  3  Lean could not answer: no verdict, and no word against the proof"
)


@click.command("check", epilog=_EPILOG)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--name", help="Check only this theorem. For one file.")
@click.option(
    "--statement",
    help="What must be proved: `theorem NAME … : TYPE`. The file as a whole is then one candidate "
    "for it. Without it, every theorem is checked against its own statement. For one file.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Lean processes, 1.3 GiB each.  [default: one a core, as memory allows]",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first that is not accepted.")
@click.option(
    "--timeout", default=60.0, show_default=True, help="Wall-clock seconds for each theorem."
)
@click.option("--cpu-s", type=float, help="CPU seconds for each theorem.  [default: no limit]")
@click.option("--heartbeats", default=200_000, show_default=True, help="For each theorem.")
@click.option("--memory-mb", type=int, help="MiB of a Lean process.  [default: as configured]")
@click.option(
    "--file-timeout",
    default=300.0,
    show_default=True,
    help="Wall-clock seconds for reading a file, which elaborates all of it once.",
)
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    default="checked",
    show_default=True,
    help="What has to stand behind an accepted theorem: `audited` judges it again in a Lean "
    "process of its own, `replayed` also replays it with leanchecker (native toolchain only).",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line; the summary last.")
def check_command(
    *,
    paths: tuple[str, ...],
    name: str | None,
    statement: str | None,
    jobs: int | None,
    fail_fast: bool,
    timeout: float,
    cpu_s: float | None,
    heartbeats: int,
    memory_mb: int | None,
    file_timeout: float,
    tier: Tier,
    as_json: bool,
) -> None:
    """Judge Lean files, with the procedure that the verifier uses.

    PATH is a file, a folder (every .lean file below it; hidden folders such as .lake are left
    out) or - for standard input. Files are checked in parallel, and what is found is printed in
    their order.
    """
    try:
        limits = CheckLimits(max_heartbeats=heartbeats, timeout_s=timeout, cpu_s=cpu_s)
    except ValueError as error:
        raise click.UsageError(f"limits must be positive: {error}") from error
    if paths.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once")
    asked = Asked(statement, name, limits, memory_mb, file_timeout, tier)
    found = list(sources(paths, sys.stdin.buffer))
    if (name or statement) and len(found) > 1:
        raise click.UsageError("--name and --statement are about one file")
    call = _Call(found, asked, jobs, fail_fast=fail_fast, as_json=as_json)
    sys.exit(run_interruptibly(call.run()))


class _Call:
    """One call of the command."""

    def __init__(
        self,
        found: list[Source | Finding],
        asked: Asked,
        jobs: int | None,
        *,
        fail_fast: bool,
        as_json: bool,
    ) -> None:
        self._unread = [item for item in found if isinstance(item, Finding)]
        self._checks = [FileCheck(item, asked) for item in found if isinstance(item, Source)]
        self._jobs = jobs_for(len(self._checks), jobs)
        self._memory_mb, self._tier = asked.memory_mb, asked.tier
        self._fail_fast, self._as_json = fail_fast, as_json
        self._told: list[Finding] = []
        self._began = self._working = time.monotonic()

    async def run(self) -> int:
        """Check everything; returns the exit code."""
        for finding in self._unread:
            self._tell(finding)
        if self._checks and not (self._fail_fast and self._unread):
            try:
                await self._check()
            except (LeanFailureError, ToolchainError) as error:
                click.echo(f"Error: {error}", err=True)
                return FAILED
        now = time.monotonic()
        summary = summarize(
            self._told,
            sum((check.not_judged for check in self._checks), Counter()),
            sessions=self._jobs,
            elapsed_s=now - self._began,
            working_s=now - self._working,
        )
        self._conclude(summary)
        return summary.exit_code

    async def _check(self) -> None:
        # Imported here: the command line starts without Lean's driver.
        from ragsolver_verifier.handler import open_checker

        with progress_on(Console(stderr=True), len(self._checks)) as show:
            async with open_checker(self._settings()) as checker:
                if self._tier != "checked":
                    require_tier(self._tier, checker.toolchain)
                    for check in self._checks:
                        check.auditor = checker.auditor
                self._working = time.monotonic()
                stream = findings(checker, self._checks, self._jobs, show)
                async with aclosing(stream):
                    async for finding in stream:
                        self._tell(finding)
                        if self._fail_fast and not finding.good:
                            return

    def _settings(self) -> VerifierSettings:
        table = load_tables(()).get("verifier", {})
        settings = settings_as(VerifierSettings, table, "workers.toml [verifier]")
        memory_mb = self._memory_mb or settings.session_mb
        return settings.model_copy(update={"sessions": self._jobs, "session_mb": memory_mb})

    def _tell(self, finding: Finding) -> None:
        self._told.append(finding)
        click.echo(finding.model_dump_json() if self._as_json else as_text(finding))

    def _conclude(self, summary: Summary) -> None:
        if self._as_json:
            said = {**summary.model_dump(mode="json"), "exit_code": summary.exit_code}
            click.echo(json.dumps({"summary": said}))
        else:
            output().print(summary_table(summary))
