"""Command `ragsolver index learn`: the weights of the second stage, from the corpus itself."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import yaml

from ragsolver_rag.cli import explained, settings_of, shown_progress
from ragsolver_rag.index import DeclarationRow, Index
from ragsolver_rag.learn import Embeds, Learned, Sampler, learn, questions
from ragsolver_rag.meaning import Meanings, learn_meanings
from ragsolver_rag.ranking import Rescorer
from ragsolver_rag.service import open_parts
from ragsolver_rag.tuning import Tuning, load_tuning
from ragsolver_runtime.cli.options import examples, json_option, messages, output, set_option
from ragsolver_runtime.errors import ConfigError

_ROWS = 20_000


@click.command(
    "learn",
    epilog=examples(
        "ragsolver index learn --set retriever.corpus=mathlib -o retrieval.yaml",
    ),
)
@click.option("--questions", "count", type=click.IntRange(min=10), default=1500, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "-o",
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the whole tuning with the new weights there.",
)
@json_option
@set_option
def learn_command(
    *, count: int, seed: int, file: Path | None, as_json: bool, settings: tuple[str, ...]
) -> None:
    """Learn what speaks for a declaration from the library's own documentation.

    No benchmark is read. Use the result with --set retriever.tuning=FILE, or put it in place of
    configs/retrieval.yaml.
    """
    own = settings_of(settings)
    tuning = load_tuning(own.tuning)
    with explained(), shown_progress(messages()) as progress:
        opened = open_parts(own)
        index = opened.parts.index
        asked = questions(all_rows(index), count, seed)
        search = opened.search(tuning)
        encoder = opened.parts.encoder
        embeds = encoder if isinstance(encoder, Embeds) else None
        progress("meanings", 0, 0)
        meanings = _without(index, {q.order for q in asked if q.kind != "name"})
        sampler = Sampler(index, Rescorer(index, tuning, meanings), search.candidates, embeds)
        samples = list(sampler.samples(asked, on_done=lambda n, of: progress("ask", n, of)))
        progress("learn", 0, 0)
        try:
            found = learn(samples, tuning.rescoring.weights)
        except ValueError as error:
            raise ConfigError(f"{error}: the corpus documents too few declarations") from error
    if file is not None:
        file.write_text(_written(tuning, found), "utf-8")
    if as_json:
        click.echo(json.dumps(vars(found), indent=1))
        return
    output().print(
        f"{found.questions} questions; of {found.held_out} others {found.first:.0%} answered "
        f"first, mean reciprocal rank {found.reciprocal_rank:.3f}"
    )


def _without(index: Index, asked: set[int]) -> Meanings | None:
    """What the words of the corpus mean, learned without what is asked for."""
    written = np.array([not row.origin for row in all_rows(index)], np.bool_)
    return learn_meanings(index.facts(), written, sorted(asked))


def all_rows(index: Index) -> Iterator[DeclarationRow]:
    """Every declaration of an index, in order."""
    total = index.facts().count
    for start in range(0, total, _ROWS):
        yield from index.rows(range(start, min(total, start + _ROWS)))


def _written(tuning: Tuning, found: Learned) -> str:
    """The tuning with new weights, as YAML."""
    rescoring = tuning.rescoring.model_copy(update={"weights": found.weights})
    whole = tuning.model_copy(update={"rescoring": rescoring})
    said = whole.model_dump(mode="json")
    return str(yaml.safe_dump(said, sort_keys=False, allow_unicode=True))
