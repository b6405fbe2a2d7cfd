"""`ragsolver portfolio`: what the engine without a model tries, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click
from rich import box
from rich.table import Table

from ragsolver_agents.experience import Tally, Tries, by_family, experience
from ragsolver_agents.formalizer.portfolio.families import FAMILIES
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.run_config import Experience
from ragsolver_runtime.cli.options import examples, json_option, output
from ragsolver_runtime.trace import BadLine, TraceLine, read_trace

_TRACES = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def portfolio() -> None:
    """The engine that proves without a language model."""


@portfolio.command("families")
@json_option
def families_command(*, as_json: bool) -> None:
    """List the families of tactic scripts, in the order in which a stage tries them."""
    rows = [
        {
            "family": family.name,
            "cost": family.cost,
            "lemmas": family.uses_lemmas,
            "what": (type(family).__doc__ or "").strip().splitlines()[0],
        }
        for family in FAMILIES.values()
    ]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    table = Table("family", "cost", "uses lemmas", "what it tries", box=box.SIMPLE)
    for row in rows:
        name, cost, what = str(row["family"]), str(row["cost"]), str(row["what"])
        table.add_row(name, cost, "yes" if row["lemmas"] else "", what)
    output().print(table)


@portfolio.command(
    "report",
    epilog=examples("ragsolver trace export -o run.jsonl", "ragsolver portfolio report run.jsonl"),
)
@click.argument("traces", nargs=-1, required=True, type=_TRACES)
@json_option
def report_command(traces: tuple[Path, ...], *, as_json: bool) -> None:
    """Show what each family proved in TRACES, its time and its kills, and what remains."""
    tally = _tally(traces)
    families = by_family(tally)
    if as_json:
        rows = {name: asdict(sums) for name, sums in families.items()}
        said = {"families": rows, "unsolved": tally.unsolved}
        click.echo(json.dumps(said, ensure_ascii=False))
        return
    output().print(_families(families))
    if tally.unsolved:
        rest = Table("problem", "why it is not proved", box=box.SIMPLE)
        for problem, message in sorted(tally.unsolved.items()):
            rest.add_row(problem, message)
        output().print(rest)


@portfolio.command(
    "learn",
    epilog=examples("ragsolver portfolio learn run1.jsonl run2.jsonl -o experience.toml"),
)
@click.argument("traces", nargs=-1, required=True, type=_TRACES)
@click.option(
    "-o", "--output", "target", type=click.Path(dir_okay=False, path_type=Path), required=True
)
def learn_command(traces: tuple[Path, ...], target: Path) -> None:
    """Write the experience in TRACES as a file that a run configuration can include.

    The same traces give the same file. A strategy that comes late in the order is tried on what
    others left: its figures are about such statements.
    """
    found = list(experience(_tally(traces)))
    if not found:
        raise click.UsageError("the traces hold no judged candidate of the portfolio")
    target.write_text(experience_toml(found), encoding="utf-8")
    tries = sum(item.tries for item in found)
    click.echo(f"{len(found)} rows from {tries} tries in {target}", err=True)


def experience_toml(found: list[Experience]) -> str:
    """The file that a run configuration includes."""
    lines = [
        "# What became of each strategy, by the shape of the statement. Made by",
        "# `ragsolver portfolio learn`; include it and set `portfolio.order`.",
        "[portfolio]",
        'order = "learned"',
    ]
    for item in found:
        values = item.model_dump()
        lines += ["", "[[portfolio.experience]]"]
        lines += [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()
        ]
    return "\n".join(lines) + "\n"


def _tally(traces: tuple[Path, ...]) -> Tally:
    tally = Tally()
    for path in traces:
        tally.read(_events(path))
    return tally


def _events(path: Path) -> Iterator[AnyEvent]:
    with path.open("rb") as file:
        for line in read_trace(file):
            if isinstance(line, BadLine):
                raise click.ClickException(f"{path}:{line.number}: {line.message}")
            if isinstance(line, TraceLine):
                yield line.event


def _families(families: dict[str, Tries]) -> Table:
    table = Table(
        "family", "tried", "proved", "refuted", "share", "Lean s", "killed", box=box.SIMPLE
    )
    proofs = sum(sums.accepted for sums in families.values())
    for name, sums in families.items():
        share = f"{100 * sums.accepted / proofs:.0f} %" if proofs else ""
        cells = sums.tries, sums.accepted, sums.refuted, share, f"{sums.ms / 1000:.1f}"
        table.add_row(name, *map(str, cells), str(sums.killed))
    return table
