"""Command `ragsolver ingest`: a library is read, made into a corpus, and indexed."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ragsolver_contracts.ids import token
from ragsolver_rag.build import build_index
from ragsolver_rag.cli import explained, settings_of, shown_progress
from ragsolver_rag.compare import compare_corpora
from ragsolver_rag.corpus import CorpusManifest, corpus_dir, read_declarations
from ragsolver_rag.index_folder import IndexManifest
from ragsolver_rag.leansearch import ingest_leansearch
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.source.ingest import Ingested, ingest_source
from ragsolver_rag.source.tree import find_tree
from ragsolver_runtime.cli.options import examples, json_option, messages, output, set_option

_name = click.option("--corpus", default="", help="Name of the corpus.  [default: as the library]")
_dense = click.option(
    "--dense/--words-only",
    default=False,
    show_default=True,
    help="Embed the declarations, too: takes long, and goes on where it was interrupted.",
)
_no_index = click.option("--no-index", is_flag=True, help="Make the corpus only.")
_force = click.option("--force", is_flag=True, help="Index again although the index is there.")


@click.group()
def ingest() -> None:
    """Read a library and index it; search it with --set retriever.corpus=NAME."""


@ingest.command(
    epilog=examples(
        "ragsolver ingest lean ~/mathlib4",
        "ragsolver ingest lean . --library MyProject --dense",
        "ragsolver ingest lean . && ragsolver search --set retriever.corpus=myproject QUERY",
    )
)
@click.argument("path", type=click.Path(path_type=Path))
@_name
@click.option("--library", "libraries", multiple=True, help="Top module to read, such as Mathlib.")
@_dense
@_no_index
@_force
@json_option
@set_option
def lean(
    *,
    path: Path,
    corpus: str,
    libraries: tuple[str, ...],
    dense: bool,
    no_index: bool,
    force: bool,
    as_json: bool,
    settings: tuple[str, ...],
) -> None:
    """Read the Lean project or source tree at PATH as text; needs no Lean.

    Files that did not change since the last time are not read again.
    """
    own = settings_of(settings)
    with explained(), shown_progress(messages()) as progress:
        tree = find_tree(path, libraries)
        name = corpus or token(tree.title)
        found = ingest_source(tree, name, progress=progress)
        built = _indexed(own, name, dense, force, progress) if not no_index else None
    said = {
        "files": found.files,
        "files_read": found.files_read,
        "seconds": found.seconds,
        "private_left_out": found.private,
        "duplicate_names": found.duplicates,
        "by_origin": found.by_origin,
        "unreadable": list(found.unreadable),
    }
    _report(found.manifest, said, built, as_json=as_json)
    if not as_json:
        _told(found)


@ingest.command(
    epilog=examples(
        "ragsolver ingest leansearch mathlib.jsonl --corpus leansearch",
        "ragsolver ingest leansearch mathlib.jsonl --include-instances",
    )
)
@click.argument("file", type=click.Path(path_type=Path))
@_name
@click.option("--include-tactics", is_flag=True, help="Keep modules Mathlib.Tactic.*")
@click.option("--include-deprecated", is_flag=True, help="Keep modules Mathlib.Deprecated.*")
@click.option("--include-instances", is_flag=True, help="Keep instances.")
@click.option("--include-generated", is_flag=True, help="Keep names that Lean made.")
@_dense
@_no_index
@_force
@json_option
@set_option
def leansearch(
    *,
    file: Path,
    corpus: str,
    dense: bool,
    no_index: bool,
    force: bool,
    as_json: bool,
    settings: tuple[str, ...],
    **included: bool,
) -> None:
    """Read FILE in the published format of LeanSearch v2: one JSON object per line."""
    own = settings_of(settings)
    kept = frozenset(name.removeprefix("include_") for name, on in included.items() if on)
    with explained(), shown_progress(messages()) as progress:
        name = corpus or token(file.stem)
        manifest, left_out = ingest_leansearch(
            file, name, kept, on_line=lambda done: progress("read", done, 0)
        )
        built = _indexed(own, name, dense, force, progress) if not no_index else None
    _report(manifest, {"left_out": left_out}, built, as_json=as_json)


@ingest.command(
    epilog=examples(
        "ragsolver ingest lean ~/lean4/src --library Init --no-index --corpus core-text",
        "ragsolver ingest compare core-text embedded",
    )
)
@click.argument("first")
@click.argument("second")
@json_option
def compare(*, first: str, second: str, as_json: bool) -> None:
    """Compare two corpora of one library: FIRST as text tells it, SECOND as Lean exports it."""
    with explained():
        found = compare_corpora(
            read_declarations(corpus_dir(first)), read_declarations(corpus_dir(second))
        )
    if as_json:
        click.echo(found.model_dump_json(indent=1))
        return
    console = output()
    console.print(f"{found.modules} modules in both; {found.in_both} names in both")
    if not found.modules:
        console.print("no module is in both: are these corpora of one library?")
    for what, counts in (
        (f"only in {first}", found.only_first),
        (f"only in {second}", found.only_second),
        ("kinds differ", found.kinds_differ),
    ):
        told = ", ".join(f"{n} {key or 'written'}" for key, n in counts.items())
        console.print(f"{what}: {sum(counts.values())} ({told or 'none'})", soft_wrap=True)
    console.print(
        f"conclusions differ: {found.conclusions_differ} of {found.conclusions_compared}; "
        f"in other modules: {found.elsewhere}"
    )
    for what, names in found.examples.items():
        console.print(f"  {what}: {', '.join(names[:5])}", soft_wrap=True)


def _indexed(
    own: RetrieverSettings,
    corpus: str,
    dense: bool,
    force: bool,
    progress: Callable[[str, int, int], None],
) -> IndexManifest:
    settings = replace(own, corpus=corpus, dense=dense)
    manifest, _ = build_index(settings, force=force, progress=progress)
    return manifest


def _report(
    manifest: CorpusManifest,
    said: dict[str, Any],
    built: IndexManifest | None,
    *,
    as_json: bool,
) -> None:
    if as_json:
        index = built.model_dump() if built is not None else None
        told = {"corpus": manifest.model_dump(), **said, "index": index}
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
        return
    console = output()
    console.print(f"corpus {manifest.corpus}: {manifest.count} declarations of {manifest.tag}")
    if built is not None:
        kind = f"{built.dimensions} dimensions" if built.dimensions else "words only"
        console.print(f"index {built.version}: {built.count} declarations, {kind}")
        console.print(f"search it: ragsolver search --set retriever.corpus={manifest.corpus} …")


def _told(found: Ingested) -> None:
    console = output()
    made = {origin: n for origin, n in found.by_origin.items() if origin}
    listed = ", ".join(f"{n} {origin}" for origin, n in sorted(made.items(), key=lambda i: -i[1]))
    console.print(f"{found.files_read} of {found.files} files read in {found.seconds:.0f} s")
    console.print(f"made by Lean: {listed or 'none'}; private, left out: {found.private}")
    for file in found.unreadable[:5]:
        console.print(f"not read: {file}", style="red")
