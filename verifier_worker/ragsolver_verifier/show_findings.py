"""Findings for people: lines, progress, and a table at the end."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ragsolver_verifier.finding import Finding, Result, Summary

_MOST_LINES = 5
"""Messages of Lean shown for one theorem; all of them are in the JSON."""
_PLAIN_EVERY = 20
"""Without a terminal: a line of progress after so many theorems."""


def as_text(finding: Finding) -> str:
    """One finding as lines for people; compilers' `file:line:column:` comes first."""
    verdict = finding.verdict
    place = finding.file
    if finding.line is not None:
        place += f":{finding.line}:{finding.column or 0}"
    result = str(finding.result)
    if verdict is not None and verdict.reason is not None:
        result += f" ({verdict.reason})"
    name = f"{finding.name}: " if finding.name else ""
    lines = [f"{place}: {result}: {name}{finding.detail}"]
    if verdict is None:
        return lines[0]
    if verdict.axioms:
        lines.append(f"  axioms: {', '.join(verdict.axioms)}")
    lines += [
        f"  {d.start.line}:{d.start.column}: {d.severity}: {d.text}"
        for d in verdict.diagnostics[:_MOST_LINES]
    ]
    more = len(verdict.diagnostics) - _MOST_LINES
    if more > 0:
        lines.append(f"  … {more} more messages")
    return "\n".join(lines)


@contextmanager
def progress_on(console: Console, files: int) -> Iterator[Callable[[Finding], None]]:
    """A function to tell every finding to, which shows how far the work is.

    Args:
        console: where to; a bar on a terminal, otherwise a plain line now and then.
        files: how many are checked.
    """
    counted = {"theorems": 0, "wrong": 0}
    seen: set[str] = set()

    def _said(finding: Finding) -> str:
        counted["theorems"] += finding.verdict is not None
        counted["wrong"] += not finding.good
        seen.add(finding.file)
        return (
            f"{len(seen)} of {files} files, {counted['theorems']} theorems judged, "
            f"{counted['wrong']} not accepted"
        )

    if not console.is_terminal:

        def _plain(finding: Finding) -> None:
            line = _said(finding)
            if finding.verdict is not None and counted["theorems"] % _PLAIN_EVERY == 0:
                click.echo(line, err=True)

        yield _plain
        return
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # else results for a file would go to the terminal
    )
    task = bars.add_task("Lean starts", total=files)
    with bars:
        yield lambda finding: bars.update(task, description=_said(finding), completed=len(seen))


def summary_table(summary: Summary) -> Table:
    """The table at the end."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_row("files", str(summary.files))
    for result in Result:
        count = summary.results.get(result, 0)
        if count or result is Result.ACCEPTED:
            table.add_row(str(result), str(count))
        if result is Result.REJECTED:
            for reason, number in summary.rejected_by_reason.items():
                table.add_row(f"  {reason}", str(number))
    for kind, number in summary.not_judged.items():
        table.add_row(f"not judged: {kind}", str(number))
    table.add_row("seconds", f"{summary.elapsed_s:.1f}")
    table.add_row(
        f"checks a second, {summary.sessions} Lean processes", f"{summary.checks_per_s:.1f}"
    )
    return table
