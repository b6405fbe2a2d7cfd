"""Commands `ragsolver search` and `ragsolver index`."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import get_args

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ragsolver_contracts.retrieval import (
    Hit,
    Mode,
    RetrievalContext,
    RetrievalFilters,
    RetrievalRequest,
    RetrievalResult,
)
from ragsolver_rag.build import Progress as BuildProgress
from ragsolver_rag.build import build_index
from ragsolver_rag.corpus import CorpusError
from ragsolver_rag.embed import ModelError
from ragsolver_rag.index import IndexDamagedError
from ragsolver_rag.index_folder import (
    IndexManifest,
    IndexMissingError,
    find_index,
    is_outdated,
    rebuild_command,
)
from ragsolver_rag.index_generations import IndexWriteError
from ragsolver_rag.service import open_search
from ragsolver_rag.settings import RetrieverSettings, retriever_settings
from ragsolver_runtime.cli.options import (
    examples,
    json_option,
    load_tables,
    messages,
    output,
    set_option,
)
from ragsolver_runtime.errors import BusError

_STAGES = {
    "read": "reading files",
    "assemble": "putting the library together",
    "corpus": "collecting declarations",
    "ask": "asking",
    "learn": "learning",
    "texts": "reading declarations",
    "embed": "embedding",
    "meanings": "learning what words mean",
    "tables": "writing tables and indices",
}
_LINE_EVERY_S = 10.0
_EXPECTED = (IndexMissingError, IndexDamagedError, IndexWriteError, CorpusError, ModelError)


class RetrievalError(BusError):
    """A part of the retrieval is missing; the message says what to run."""


@click.command(
    epilog=examples(
        'ragsolver search "addition of natural numbers is commutative"',
        'ragsolver search --mode formal "n % 2 = 0 ∨ n % 2 = 1"',
        "ragsolver search --mode error \"unknown identifier 'Nat.add_com'\"",
    )
)
@click.argument("query", nargs=-1, required=True)
@click.option("--mode", type=click.Choice(get_args(Mode)), default="nl", show_default=True)
@click.option("-k", "k", type=click.IntRange(1, 100), default=8, show_default=True)
@click.option("--kind", "kinds", multiple=True, help="Only such declarations: theorem, def, …")
@click.option("--rerank", is_flag=True, help="Use the reranker that is configured.")
@json_option
@set_option
def search(
    *,
    query: tuple[str, ...],
    mode: Mode,
    k: int,
    kinds: tuple[str, ...],
    rerank: bool,
    as_json: bool,
    settings: tuple[str, ...],
) -> None:
    """Search the formal library for declarations; all words of QUERY are one query."""
    request = RetrievalRequest(
        queries=(" ".join(query),),
        mode=mode,
        k=k,
        filters=RetrievalFilters(kinds=kinds),
        rerank=rerank,
        context=RetrievalContext(problem_id="", agent="cli"),
    )
    own = settings_of(settings)
    if rerank and not own.reranker:
        raise click.UsageError("no reranker is configured: --set retriever.reranker=MODEL")
    with explained():
        result = open_search(own).search(request)
    if as_json:
        click.echo(result.model_dump_json(indent=1))
        return
    console = output()
    if not result.hits:
        console.print("nothing found")
        return
    console.print(_table(result))


class _Index(click.Group):
    """The group `index`, with commands of modules that import this one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), "check", "learn", "probe"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "check":
            from ragsolver_rag.cli_check import check_command  # imports this module

            return check_command
        if cmd_name == "learn":
            from ragsolver_rag.cli_learn import learn_command

            return learn_command
        if cmd_name == "probe":
            from ragsolver_rag.cli_probe import probe_command

            return probe_command
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Index)
def index() -> None:
    """Build, check and look at the index of the formal library."""


@index.command()
@click.option("--force", is_flag=True, help="Build again although it is there.")
@json_option
@set_option
def build(*, force: bool, as_json: bool, settings: tuple[str, ...]) -> None:
    """Build the index, if it is not there: minutes once, then never again."""
    own = settings_of(settings)
    with explained(), shown_progress(messages()) as progress:
        manifest, built = build_index(own, force=force, progress=progress)
    if as_json:
        click.echo(json.dumps({"built": built, **manifest.model_dump()}, indent=1))
        return
    said = f"built in {manifest.seconds:.0f} s" if built else "already there"
    output().print(f"index {manifest.version} {said}: {described(manifest)}")


@index.command()
@json_option
@set_option
def status(*, as_json: bool, settings: tuple[str, ...]) -> None:
    """Say whether the index is there, and of what; exit code 1 if it is not."""
    own = settings_of(settings)
    try:
        folder, manifest = find_index(own)
    except IndexMissingError as error:
        if as_json:
            click.echo(json.dumps({"built": False, "detail": str(error)}, indent=1))
        else:
            output().print(str(error), soft_wrap=True)
        raise SystemExit(1) from None
    if as_json:
        said = {"built": True, "folder": str(folder), **manifest.model_dump()}
        click.echo(json.dumps(said, indent=1))
        return
    output().print(f"index {manifest.version}: {described(manifest)}\n{folder}", soft_wrap=True)
    if is_outdated(own, manifest):
        output().print(f"the library changed since: {rebuild_command(own)}`", soft_wrap=True)


def described(manifest: IndexManifest) -> str:
    """An index in one line."""
    return (
        f"{manifest.count} declarations of {manifest.mathlib_tag}, "
        f"encoder {manifest.encoder}, {manifest.dimensions} dimensions"
    )


def settings_of(flags: tuple[str, ...]) -> RetrieverSettings:
    """The retriever's settings: file, environment, then `--set`."""
    return retriever_settings(load_tables(flags).get("retriever", {}))


@contextmanager
def explained() -> Iterator[None]:
    """Every expected failure as one message of the command line."""
    try:
        yield
    except _EXPECTED as error:
        raise RetrievalError(str(error)) from error


def _table(result: RetrievalResult) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("#", "declaration", "kind", "module"):
        table.add_column(name, overflow="fold")
    for hit in result.hits:
        table.add_row(
            str(hit.rank), _shown(hit), hit.metadata["kind"], hit.metadata["module_path"]
        )
    trace = result.trace
    table.caption = (
        f"{trace.n_candidates} candidates, {trace.latency_ms:.0f} ms, "
        f"index {trace.versions.index_version} ({trace.versions.mathlib_tag})"
    )
    table.caption_justify = "left"
    return table


def _shown(hit: Hit) -> str:
    name = hit.metadata["decl_name"].replace("[", "\\[")
    signature = hit.metadata["signature"].replace("[", "\\[")
    return f"[bold cyan]{name}[/]\n{signature}"


@contextmanager
def shown_progress(console: Console) -> Iterator[BuildProgress]:
    """A bar on a terminal, a line now and then elsewhere."""
    if not console.is_terminal:
        yield _PlainLines(console)
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def _update(stage: str, done: int, total: int) -> None:
            said = _STAGES.get(stage, stage)
            bar.update(task, description=said, completed=done, total=total or None)

        yield _update


class _PlainLines:
    """One line per stage, and one every few seconds within it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stage = ""
        self._last = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage == self._stage and now - self._last < _LINE_EVERY_S:
            return
        self._stage, self._last = stage, now
        of_total = f" of {total}" if total else ""
        said = _STAGES.get(stage, stage)
        self._console.print(f"{said}: {done}{of_total}" if done else said)
