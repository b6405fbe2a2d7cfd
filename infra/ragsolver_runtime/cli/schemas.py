"""`ragsolver schemas`: the JSON Schemas of everything that crosses a process border."""

from pathlib import Path

import click

from ragsolver_contracts.schemas import check as check_schemas
from ragsolver_contracts.schemas import write as write_schemas
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.paths import resource_dir

_FOLDER = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the schema files.  [default: the shipped one]",
)


@click.group()
def schemas() -> None:
    """JSON Schemas of events, inputs and reports."""


@schemas.command()
@_FOLDER
def write(folder: Path | None) -> None:
    """Write every schema from the models; review the difference before you commit it."""
    target = folder or resource_dir("schemas")
    written = write_schemas(target)
    click.echo(f"{len(written)} schemas in {target}")


@schemas.command()
@_FOLDER
def check(folder: Path | None) -> None:
    """Compare the files with the models; exit code 1 if they differ."""
    target = folder or resource_dir("schemas")
    drift = check_schemas(target)
    for found in drift:
        click.echo(f"{found.file}: {found.what}")
    if drift:
        click.echo("run `ragsolver schemas write` and review the difference", err=True)
        raise SystemExit(ExitCode.NOT_ALL)
    click.echo(f"the schemas in {target} are what the models say")
