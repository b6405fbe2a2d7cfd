"""`ragsolver doctor`: what is installed, what is missing, the one command that fixes it."""

import json
from dataclasses import asdict

import click
from rich import box
from rich.table import Table
from rich.text import Text

from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.cli.options import json_option, output
from ragsolver_runtime.doctor import Finding, examine
from ragsolver_runtime.render import printable

_STYLES = {"ok": "green", "note": "yellow", "missing": "bold red", "broken": "bold red"}


@click.command()
@json_option
def doctor(*, as_json: bool) -> None:
    """Look at everything that solving needs.

    Exit code 0 when all is there, 3 when something is missing or broken.
    """
    found = examine()
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in found], indent=2))
    else:
        output().print(_table(found))
        _tell_first(found)
    raise SystemExit(ExitCode.OK if all(f.good for f in found) else ExitCode.INFRASTRUCTURE)


def _table(found: list[Finding]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("part", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("found", overflow="fold", ratio=1)
    for finding in found:
        said = Text(printable(finding.detail))
        if finding.fix and not finding.good:
            said.append(f"\nfix: {printable(finding.fix)}", style="bold")
        state = Text(finding.state, style=_STYLES[finding.state])
        table.add_row(Text(finding.name), state, said)
    return table


def _tell_first(found: list[Finding]) -> None:
    bad = [finding for finding in found if not finding.good]
    if not bad:
        click.echo("Everything is there.")
    elif bad[0].fix:
        click.echo(f"First: {bad[0].fix}")
