"""Command `ragsolver eval retrieval`: the search measured on a published benchmark."""

import json
from dataclasses import replace
from pathlib import Path
from typing import get_args

import click

from ragsolver_rag.cli import explained, settings_of, shown_progress
from ragsolver_rag.evaluate.ablation import ablated
from ragsolver_rag.evaluate.benchmarks import Benchmark, BenchmarkError, read_benchmark
from ragsolver_rag.evaluate.plots import draw
from ragsolver_rag.evaluate.remembering import RememberingIndex
from ragsolver_rag.evaluate.report import (
    RetrievalReport,
    comparisons,
    failures,
    markdown,
    variant_report,
)
from ragsolver_rag.evaluate.running import (
    VARIANTS,
    Asked,
    Outcome,
    Variant,
    run_cases,
    variant_tuning,
)
from ragsolver_rag.service import Opened, open_parts
from ragsolver_rag.tuning import Tuning, load_tuning
from ragsolver_runtime.cli.options import examples, json_option, messages, set_option
from ragsolver_runtime.errors import ConfigError

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(
    "retrieval",
    epilog=examples(
        "ragsolver eval retrieval --benchmark mathlibqr --file MathlibQR.json "
        "--set retriever.corpus=mathlib -o report",
        "ragsolver eval retrieval --benchmark mathlibmpr --file MathlibMPR.json --json",
        "ragsolver eval retrieval --benchmark mathlibqr --file F --against other.yaml",
        "ragsolver eval retrieval --benchmark mathlibqr --file F --ablate -o ablation",
    ),
)
@click.option("--benchmark", type=click.Choice(get_args(Benchmark)), required=True)
@click.option("--file", type=_FILE, required=True, help="The benchmark, as it is published.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice(VARIANTS),
    help="What is measured, several times.  [default: all that the index can answer]",
)
@click.option("--ablate", is_flag=True, help="The whole search, and without one ingredient each.")
@click.option("--against", type=_FILE, help="Another retrieval.yaml, compared query by query.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N queries.")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for report.json, report.md, outcomes.jsonl and the plot.",
)
@click.option("--no-plots", is_flag=True, help="Draw nothing.")
@json_option
@set_option
def retrieval(
    *,
    benchmark: Benchmark,
    file: Path,
    variants: tuple[Variant, ...],
    ablate: bool,
    against: Path | None,
    limit: int | None,
    folder: Path | None,
    no_plots: bool,
    as_json: bool,
    settings: tuple[str, ...],
) -> None:
    """Measure the search: nDCG@10, Recall, MRR; group recall for MathlibMPR."""
    own = settings_of(settings)
    tunings = {"": load_tuning(own.tuning)}
    if against is not None:
        tunings[against.stem] = load_tuning(str(against))
    try:
        cases = read_benchmark(benchmark, file)[:limit]
    except BenchmarkError as error:
        raise ConfigError(str(error)) from error
    outcomes: dict[str, list[Outcome]] = {}
    with explained(), shown_progress(messages()) as progress:
        opened = open_parts(own)
        if ablate:
            remembering = RememberingIndex(opened.parts.index)
            opened = replace(opened, parts=replace(opened.parts, index=remembering))
        known = frozenset(opened.parts.index.names())
        chosen = variants or tuple(v for v in VARIANTS if answerable(v, opened))
        for name, asked in _asked(chosen, tunings, opened, ablate=ablate).items():
            search = opened.search(asked.tuning, dense=asked.dense)
            search.warm()
            outcomes[name] = run_cases(
                search,
                cases,
                known,
                rerank=asked.rerank,
                on_done=lambda done, total: progress("ask", done, total),
            )
    report = _report(benchmark, file, opened, known, outcomes)
    if folder is not None:
        _write(folder, report, outcomes, plots=not no_plots)
    click.echo(report.model_dump_json(indent=1) if as_json else markdown(report))


def _asked(
    variants: tuple[Variant, ...], tunings: dict[str, Tuning], opened: Opened, *, ablate: bool
) -> dict[str, Asked]:
    """Everything that is measured, by its name; what the others are compared with comes last."""
    if ablate:
        whole = tunings[""].for_corpus(opened.manifest.parser)
        return ablated(whole, dense=bool(opened.manifest.dimensions))
    return {
        f"{variant} ({name})" if name else variant: variant_tuning(variant, tuning)
        for variant in variants
        for name, tuning in tunings.items()
    }


def answerable(variant: Variant, opened: Opened) -> bool:
    """Whether an index has what a variant needs."""
    if variant.startswith(("dense", "hybrid")):
        return bool(opened.manifest.dimensions)
    return variant.startswith("lexical") or opened.parts.index.meanings() is not None


def _report(
    benchmark: str,
    file: Path,
    opened: Opened,
    known: frozenset[str],
    outcomes: dict[str, list[Outcome]],
) -> RetrievalReport:
    last = list(outcomes.values())[-1]
    answered = [any(n in known for group in o.answers for n in group) for o in last]
    return RetrievalReport(
        benchmark=benchmark,
        file=file.name,
        index_version=opened.manifest.version,
        mathlib_tag=opened.manifest.mathlib_tag,
        declarations=opened.manifest.count,
        encoder=opened.manifest.encoder,
        queries=len(last),
        answers_in_corpus=sum(answered) / len(answered),
        variants=tuple(variant_report(name, of) for name, of in outcomes.items()),
        comparisons=comparisons(outcomes),
        failures=failures(last),
    )


def _write(
    folder: Path, report: RetrievalReport, outcomes: dict[str, list[Outcome]], *, plots: bool
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(report.model_dump_json(indent=1) + "\n", "utf-8")
    (folder / "report.md").write_text(markdown(report), "utf-8")
    lines = (
        json.dumps({"variant": name, **outcome.model_dump(mode="json")}, ensure_ascii=False)
        for name, of in outcomes.items()
        for outcome in of
    )
    (folder / "outcomes.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    if plots:
        draw(report, folder / "report.png")
