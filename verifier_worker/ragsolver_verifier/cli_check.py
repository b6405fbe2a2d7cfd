"""`ragsolver lean check`: judge the theorems of a Lean file by the trusted procedure."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Verdict, VerdictStatus
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError
from ragsolver_verifier.toolchain.errors import ToolchainError

ACCEPTED, NOT_ACCEPTED, USAGE, FAILED = 0, 1, 2, 3


@click.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", help="Check only this theorem of the file.")
@click.option(
    "--statement",
    help="What must be proved: `theorem NAME … : TYPE`. The whole file is then one candidate "
    "for it. Without it, every theorem of the file is checked against its own statement.",
)
@click.option("--heartbeats", default=200_000, show_default=True, help="Lean heartbeats.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds for each theorem.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a verdict, one a line.")
def check_command(
    *,
    file: Path,
    name: str | None,
    statement: str | None,
    heartbeats: int,
    timeout: float,
    as_json: bool,
) -> None:
    """Judge a Lean file.

    Exit code 0: everything asked for is accepted. 1: something is rejected or inconclusive.
    2: the file or the options make no question. 3: Lean could not answer.
    """
    limits = CheckLimits(max_heartbeats=heartbeats, timeout_s=timeout)
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"{file} is not UTF-8 text") from None
    # Imported here: the command line starts without Lean's driver.
    from ragsolver_verifier.check_file import NoQuestionError, check_file

    try:
        named = check_file(text, statement=statement, name=name, limits=limits)
    except NoQuestionError as error:
        raise click.UsageError(str(error)) from error
    except (LeanFailureError, LimitExceededError, ToolchainError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(FAILED)
    for title, verdict in named.items():
        click.echo(_as_json(title, verdict) if as_json else _as_text(title, verdict))
    accepted = all(
        isinstance(v, Verdict) and v.status is VerdictStatus.ACCEPTED for v in named.values()
    )
    sys.exit(ACCEPTED if accepted else NOT_ACCEPTED)


def _as_json(title: str, verdict: Verdict | str) -> str:
    if isinstance(verdict, str):
        return json.dumps({"name": title, "unchecked": verdict}, ensure_ascii=False)
    return json.dumps({"name": title, **verdict.model_dump(mode="json")}, ensure_ascii=False)


def _as_text(title: str, verdict: Verdict | str) -> str:
    if isinstance(verdict, str):
        return f"unchecked: {title}: {verdict}"
    reason = f" ({verdict.reason})" if verdict.reason else ""
    lines = [f"{verdict.status}{reason}: {title}: {verdict.detail}"]
    if verdict.axioms:
        lines.append(f"  axioms: {', '.join(verdict.axioms)}")
    lines += [
        f"  {d.start.line}:{d.start.column}: {d.severity}: {d.text}" for d in verdict.diagnostics
    ]
    return "\n".join(lines)
