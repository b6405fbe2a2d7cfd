"""Command `ragsolver index check`: every byte of the index compared with what was written."""

import json

import click

from ragsolver_rag.cli import described, explained, settings_of
from ragsolver_rag.service import open_parts
from ragsolver_runtime.cli.options import examples, json_option, output, set_option


@click.command(
    "check",
    epilog=examples(
        "ragsolver index check", "ragsolver index check --set retriever.corpus=mathlib"
    ),
)
@json_option
@set_option
def check_command(*, as_json: bool, settings: tuple[str, ...]) -> None:
    """Compare the whole index with what was written; say what to run where it is damaged."""
    own = settings_of(settings)
    with explained():
        opened = open_parts(own, whole=True)
        opened.parts.index.facts()
    manifest = opened.manifest
    if as_json:
        said = {"whole": True, "listed": bool(manifest.files), "version": manifest.version}
        click.echo(json.dumps(said, indent=1))
        return
    output().print(f"index {manifest.version} is whole: {described(manifest)}", soft_wrap=True)
    if not manifest.files:
        output().print("its files were not listed when it was written; `index build` lists them")
