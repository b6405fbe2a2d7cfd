"""The evaluation in words and tables: Markdown, for a file and for a terminal."""

from collections.abc import Iterable, Iterator, Sequence

from ragsolver_runtime.evaluate.summary import ConfigurationResult, EvaluationReport, Spread

_RETRIEVAL = (
    "configuration", "proofs", "rest on a hit", "name a hit", "lemma-use precision",
    "look-ups after errors", "proved after", "by what it found",
)  # fmt: skip
_COST = (
    "configuration", "LLM calls", "lost", "tokens in", "tokens out", "cached", "USD", "candidates",
    "Lean s", "Lean CPU s", "to proof, wall s", "to proof, Lean s",
)  # fmt: skip


def report_markdown(report: EvaluationReport) -> str:
    """The whole report as Markdown."""
    return "\n".join([*_head(report), *_body(report)]).rstrip("\n") + "\n"


def _head(report: EvaluationReport) -> Iterator[str]:
    named = " ".join(report.evaluation_ids)
    yield f"# Evaluation {named}".rstrip()
    yield ""
    yield (
        f"{len(report.runs)} runs of {len(report.configurations)} configurations; "
        f"compared with {report.baseline}. Infrastructure failures, refusals and open problems "
        "are no samples."
    )
    yield ""
    yield from _contamination(report)
    yield ""


def _body(report: EvaluationReport) -> Iterator[str]:
    shown = report.configurations
    classes = sorted({name for one in shown for name in one.errors})
    yield from _section("Proofs", outcome_table(report))
    yield from _section("Against the baseline", _compared(report))
    yield from _section("Retrieval", _rows(_RETRIEVAL, map(_retrieval_row, shown)))
    yield _only("Proved only with retrieval", report.only_with_retrieval)
    yield _only("Proved only without", report.only_without_retrieval)
    yield ""
    yield from _section("Cost and time", _rows(_COST, map(_cost_row, shown)))
    yield "To proof: median and 10 % to 90 %. Wall time counts waiting for other problems."
    yield ""
    failed = [
        (one.name, *(one.errors.get(c, 0) for c in classes), one.candidate_failures)
        for one in shown
    ]
    head = ("configuration", *classes, "failed checks")
    yield from _section("Errors", _rows(head, failed))
    if report.notes:
        yield from _section("Notes", (f"- {note}" for note in report.notes))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from (f"## {title}", "", *lines, "")


def _compared(report: EvaluationReport) -> Iterator[str]:
    rows = [
        (
            c.name,
            c.pairs,
            _points(c.difference),
            f"{_points(c.interval[0])} to {_points(c.interval[1])}" if c.interval else "",
            len(c.better),
            len(c.worse),
            f"{c.p_value:.3g}",
            f"{c.p_holm:.3g}",
        )
        for c in report.comparisons
    ]
    head = ("configuration", "pairs", "pass@1", "95 %", "better", "worse", "p", "p, Holm")
    yield from _rows(head, rows)


def outcome_table(report: EvaluationReport) -> Iterator[str]:
    """Proofs, pass@k with intervals and every other outcome, by configuration."""
    shown = report.configurations
    ks = sorted({k for one in shown for k in one.pass_at if k > 1})
    head = ("configuration", "problems", "samples", "proved", "pass@1", "Wilson 95 %",
            *(f"pass@{k}" for k in ks), "false", "not proved", "infrastructure", "refused",
            "other", "pass@1 with contaminated")  # fmt: skip
    yield from _rows(head, [_outcome_row(one, ks) for one in shown])


def _outcome_row(one: ConfigurationResult, ks: Sequence[int]) -> tuple[object, ...]:
    named = ("statement_false", "not_proved", "infrastructure", "refused")
    other = sum(n for name, n in one.outcomes.items() if name not in {"solved", *named})
    return (
        one.name,
        one.problems,
        one.samples,
        one.proved,
        _share(one.pass_at.get(1)),
        f"{_share(one.wilson[0])} to {_share(one.wilson[1])}" if one.wilson else "",
        *(_share(one.pass_at.get(k)) for k in ks),
        *(one.outcomes.get(name, 0) for name in named),
        other,
        _share(one.pass_at_1_with_contaminated),
    )


def _retrieval_row(one: ConfigurationResult) -> tuple[object, ...]:
    found = one.retrieval
    precision = f"{_share(found.precision)} ({found.used}/{found.retrieved})"
    return (
        one.name,
        found.proofs,
        found.cited,
        found.named,
        precision if found.retrieved else "",
        found.rounds,
        f"{found.proved_after}/{found.asked_again}" if found.asked_again else "",
        found.used_after,
    )


def _cost_row(one: ConfigurationResult) -> tuple[object, ...]:
    return (
        one.name,
        one.llm_calls,
        one.lost_calls,
        one.input_tokens,
        one.output_tokens,
        one.cache_tokens,
        f"{one.cost_usd:.2f}",
        one.candidates,
        f"{one.lean_s:.0f}",
        f"{one.lean_cpu_s:.0f}",
        _seconds(one.wall_to_proof_s),
        _seconds(one.lean_to_proof_s),
    )


def _contamination(report: EvaluationReport) -> Iterator[str]:
    check = report.contamination
    if check.skipped:
        yield f"Contamination: {check.skipped}"
        return
    yield (
        f"Contamination: {check.problems} problems compared with {', '.join(check.corpora)} "
        f"(cosine above {check.threshold:g} with {check.encoder}, equal statement or own name): "
        f"{len(report.excluded)} excluded."
    )
    for found in check.found:
        near = f", {found.similarity:.2f}" if found.similarity is not None else ""
        yield f"- {found.name}: {found.why}, {found.document}{near}"


def _rows(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(str(cell) for cell in row)} |"


def _only(what: str, names: Sequence[str]) -> str:
    return f"{what}: {len(names)}" + (f" ({', '.join(names)})." if names else ".")


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _points(value: float | None) -> str:
    return "" if value is None else f"{100 * value:+.1f}"


def _seconds(spread: Spread | None) -> str:
    return "" if spread is None else f"{spread.median:.1f} ({spread.p10:.1f} to {spread.p90:.1f})"
