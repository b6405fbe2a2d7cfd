"""`ragsolver schemas`: JSON Schemas of all that crosses a process border, and AsyncAPI."""

from pathlib import Path

import click

from ragsolver_contracts.schemas import Drift
from ragsolver_contracts.schemas import check as check_schemas
from ragsolver_contracts.schemas import write as write_schemas
from ragsolver_runtime import asyncapi
from ragsolver_runtime.cli.exits import ExitCode
from ragsolver_runtime.paths import resource_dir
from ragsolver_runtime.roles import MissingExtraError

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
    """Write every schema and asyncapi.yaml; review the difference before you commit it."""
    target = folder or resource_dir("schemas")
    written = write_schemas(target)
    document = asyncapi.write(target)
    click.echo(f"{len(written)} schemas and {document.name} in {target}")


@schemas.command()
@_FOLDER
def check(folder: Path | None) -> None:
    """Compare the files with the models; exit code 1 if they differ."""
    target = folder or resource_dir("schemas")
    drift = check_schemas(target)
    if not _document_is_current(target):
        drift.append(Drift(asyncapi.FILE, "missing or differs"))
    for found in drift:
        click.echo(f"{found.file}: {found.what}")
    if drift:
        click.echo("run `ragsolver schemas write` and review the difference", err=True)
        raise SystemExit(ExitCode.NOT_ALL)
    click.echo(f"the schemas in {target} are what the models say")


@schemas.command(name="asyncapi")
def asyncapi_document() -> None:
    """Print the bus as an AsyncAPI 3 document: channels, messages, who sends and receives what."""
    click.echo(asyncapi.text_of(asyncapi.document()), nl=False)


def _document_is_current(folder: Path) -> bool:
    try:
        return asyncapi.is_current(folder)
    except MissingExtraError as error:
        click.echo(f"{asyncapi.FILE} is not compared: {error}", err=True)
        return True
