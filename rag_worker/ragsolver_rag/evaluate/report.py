"""The evaluation of a search put together: tables for people, JSON for machines."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from ragsolver_rag.evaluate.metrics import interval, mean_of, paired
from ragsolver_rag.evaluate.running import Outcome

_LISTED = 15
"""Failures of a variant that are listed."""


class Measured(BaseModel):
    """A mean, its 95 % interval and over how many queries."""

    model_config = ConfigDict(frozen=True)

    mean: float
    low: float
    high: float


class VariantReport(BaseModel):
    """What one variant reached."""

    model_config = ConfigDict(frozen=True)

    variant: str
    queries: int
    measures: Mapping[str, Measured]
    by_style: Mapping[str, Mapping[str, float]]
    by_kind: Mapping[str, Mapping[str, float]]
    by_difficulty: Mapping[str, Mapping[str, float]]
    causes: Mapping[str, int]
    """Queries with an answer that is not within ten, by cause."""
    latency_p50_ms: float
    latency_p95_ms: float


class Comparison(BaseModel):
    """Two variants over the same queries, by the first measure."""

    model_config = ConfigDict(frozen=True)

    first: str
    second: str
    measure: str
    difference: float
    low: float
    high: float
    p: float


class RetrievalReport(BaseModel):
    """A benchmark under several variants."""

    model_config = ConfigDict(frozen=True)

    benchmark: str
    file: str
    index_version: str
    mathlib_tag: str
    declarations: int
    encoder: str
    queries: int
    answers_in_corpus: float
    """Share of the queries that have an answer in the corpus."""
    variants: tuple[VariantReport, ...]
    comparisons: tuple[Comparison, ...]
    failures: Mapping[str, tuple[Outcome, ...]]
    """Some queries that the last variant failed, by cause."""


def variant_report(variant: str, outcomes: Sequence[Outcome]) -> VariantReport:
    """What a variant's outcomes come to."""
    names = list(outcomes[0].measures)
    measures = {}
    for name in names:
        values = [outcome.measures[name] for outcome in outcomes]
        low, high = interval(values)
        measures[name] = Measured(mean=float(np.mean(values)), low=low, high=high)
    latencies = [outcome.latency_ms for outcome in outcomes]
    return VariantReport(
        variant=variant,
        queries=len(outcomes),
        measures=measures,
        by_style=_means(outcomes, lambda o: o.style),
        by_kind=_means(outcomes, lambda o: o.kind),
        by_difficulty=_means(outcomes, lambda o: o.difficulty),
        causes=dict(Counter(o.cause for o in outcomes if o.cause)),
        latency_p50_ms=round(float(np.median(latencies)), 2),
        latency_p95_ms=round(float(np.percentile(latencies, 95)), 2),
    )


def comparisons(outcomes: Mapping[str, Sequence[Outcome]]) -> tuple[Comparison, ...]:
    """The last variant against each of the others."""
    *others, last = outcomes
    found = []
    for other in others:
        measure = next(iter(outcomes[other][0].measures))
        values = [[o.measures[measure] for o in outcomes[name]] for name in (other, last)]
        told = paired(*values)
        found.append(
            Comparison.model_validate({"first": other, "second": last, "measure": measure, **told})
        )
    return tuple(found)


def failures(outcomes: Sequence[Outcome]) -> dict[str, tuple[Outcome, ...]]:
    """Some of the queries that failed, by cause."""
    found: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.cause and len(found[outcome.cause]) < _LISTED:
            found[outcome.cause].append(outcome)
    return {cause: tuple(of) for cause, of in found.items()}


def markdown(report: RetrievalReport) -> str:
    """The report for people."""
    names = list(report.variants[0].measures)
    lines = [
        f"# {report.benchmark}: {report.queries} queries, {report.mathlib_tag}",
        "",
        f"{report.declarations} declarations, index {report.index_version}, encoder "
        f"{report.encoder or 'none'}; {report.answers_in_corpus:.1%} of the queries have an "
        "answer in the corpus. Mean and 95 % interval (bootstrap).",
        "",
        *_table(["variant", *names, "p50 ms", "p95 ms"], map(_row, report.variants)),
    ]
    first = names[0]
    for title, parts in (
        ("style", [v.by_style for v in report.variants]),
        ("kind", [v.by_kind for v in report.variants]),
        ("difficulty", [v.by_difficulty for v in report.variants]),
    ):
        keys = [key for key in parts[0] if key]
        if keys:
            cells = (
                [v.variant, *(f"{of[key][first]:.3f}" for key in keys)]
                for v, of in zip(report.variants, parts, strict=True)
            )
            lines += ["", f"{first} by {title}", "", *_table(["variant", *keys], cells)]
    if report.comparisons:
        compared = (
            [f"{c.second} - {c.first}", f"{c.difference:+.3f}", f"[{c.low:+.3f}, {c.high:+.3f}]",
             f"{c.p:.3f}"]
            for c in report.comparisons
        )  # fmt: skip
        head = ["paired over the queries", first, "95 %", "p"]
        lines += ["", *_table(head, compared)]
    lines += _failures(report)
    return "\n".join(lines) + "\n"


def _row(variant: VariantReport) -> list[str]:
    cells = [f"{m.mean:.3f} [{m.low:.3f}, {m.high:.3f}]" for m in variant.measures.values()]
    return [
        variant.variant,
        *cells,
        f"{variant.latency_p50_ms:.0f}",
        f"{variant.latency_p95_ms:.0f}",
    ]


def _failures(report: RetrievalReport) -> list[str]:
    last = report.variants[-1]
    causes = ", ".join(f"{cause}: {count}" for cause, count in last.causes.items())
    lines = ["", f"Not within ten, {last.variant}: {causes or 'none'}"]
    for cause, outcomes in report.failures.items():
        lines += ["", f"## {cause}", ""]
        for outcome in outcomes:
            wanted = " | ".join(group[0] for group in outcome.answers)
            query = " ".join(outcome.query.split())[:100]
            lines.append(
                f"- {outcome.style}: {query} — wanted `{wanted}`, rank "
                f"{outcome.ranks[0] or '-'}, first `{', '.join(outcome.best[:2])}`"
            )
    return lines


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def _means(
    outcomes: Sequence[Outcome], key: Callable[[Outcome], str]
) -> dict[str, dict[str, float]]:
    parts: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for outcome in outcomes:
        parts[key(outcome)].append(outcome.measures)
    return {name: mean_of(of) for name, of in parts.items()}
