"""Command `ragsolver index probe`: what an index finds of what it holds."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_args

import click

from ragsolver_rag.cli import explained, settings_of, shown_progress
from ragsolver_rag.cli_learn import all_rows
from ragsolver_rag.evaluate.benchmarks import Benchmark, BenchmarkError, read_benchmark
from ragsolver_rag.evaluate.probes import (
    Nearest,
    Probed,
    exact_by_meaning,
    name_questions,
    names_found,
    recall,
)
from ragsolver_rag.index import Place, Scored
from ragsolver_rag.learn import questions
from ragsolver_rag.queries import Query, prepare
from ragsolver_rag.ranking import meaning_of
from ragsolver_rag.service import Opened, open_parts
from ragsolver_rag.tuning import load_tuning
from ragsolver_runtime.cli.options import examples, json_option, messages, output, set_option
from ragsolver_runtime.errors import ConfigError

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    "probe",
    epilog=examples(
        "ragsolver index probe --set retriever.corpus=mathlib",
        "ragsolver index probe --benchmark mathlibqr --file MathlibQR.json --json",
    ),
)
@click.option("--count", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--benchmark", type=click.Choice(get_args(Benchmark)), default="mathlibqr")
@click.option("--file", type=_FILE, help="Half of the questions from this benchmark.")
@json_option
@set_option
def probe_command(
    *,
    count: int,
    seed: int,
    benchmark: Benchmark,
    file: Path | None,
    as_json: bool,
    settings: tuple[str, ...],
) -> None:
    """Measure the vector indices against exact search, and names in error mode."""
    own = settings_of(settings)
    with explained(), shown_progress(messages()) as progress:
        opened = open_parts(own)
        index = opened.parts.index
        rows = list(all_rows(index))
        texts = [question.text for question in questions(rows, count, seed)]
        texts = [*_benchmark(benchmark, file)[: count // 2], *texts][:count]
        progress("ask", 0, len(texts))
        recalls = _recalls(opened, [prepare(text, "nl") for text in texts])
        search = opened.search(load_tuning(own.tuning))
        names = {}
        for kind, asked in name_questions(rows, count, seed).items():
            progress("ask", 0, len(asked))
            names[kind] = names_found(
                lambda request: [hit.citation.label for hit in search.search(request).hits], asked
            )
    found = Probed(
        index_version=opened.manifest.version,
        declarations=opened.manifest.count,
        queries=len(texts),
        recall_at_50=recalls,
        names=names,
    )
    if as_json:
        click.echo(json.dumps(found.model_dump(), indent=1, ensure_ascii=False))
        return
    _print(found)


def _recalls(opened: Opened, queries: list[Query]) -> dict[str, float]:
    """Recall of each vector index that is there."""
    index, encoder = opened.parts.index, opened.parts.encoder
    found = {}
    exact = getattr(index, "exact", None)
    if encoder is not None and exact is not None:
        vectors = encoder.embed_queries([query.text for query in queries])
        found["encoder"] = recall(index.nearest, _places(exact), vectors)
    meanings, facts = index.meanings(), index.facts()
    if meanings is not None:
        asked = [meaning_of(meanings, facts, query) for query in queries]
        learned = [vector for vector in asked if vector is not None]
        found["learned"] = recall(index.akin, exact_by_meaning(index), learned)
    return found


def _places(exact: Callable[..., Sequence[Scored]]) -> Nearest:
    """A search that gives rows, as one that gives places."""
    return lambda query, limit, filters: [
        Place(found.row.order, found.score) for found in exact(query, limit, filters)
    ]


def _benchmark(benchmark: Benchmark, file: Path | None) -> list[str]:
    if file is None:
        return []
    try:
        return [case.query for case in read_benchmark(benchmark, file)]
    except BenchmarkError as error:
        raise ConfigError(str(error)) from error


def _print(found: Probed) -> None:
    console = output()
    for column, share in found.recall_at_50.items():
        console.print(f"vectors, {column}: recall@50 {share:.3f} over {found.queries} questions")
    for kind, names in found.names.items():
        console.print(
            f"names, {kind}: {names.first:.1%} of {names.asked} come first, "
            f"{names.among_five:.1%} among five"
        )
        for asked, wanted, first in names.missed[:3]:
            console.print(f"  {asked}: wanted {wanted}, first {first or 'nothing'}")
