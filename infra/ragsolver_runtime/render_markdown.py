"""The run report as Markdown, for a file that is kept or sent."""

from collections.abc import Iterator

from ragsolver_contracts.retrieval import Citation
from ragsolver_runtime.model_use import HEAD, use_rows
from ragsolver_runtime.render import (
    calls_text,
    counts_line,
    duration,
    isolation_text,
    one_line,
    printable,
)
from ragsolver_runtime.run_children import indented
from ragsolver_runtime.run_report import ProblemEntry, RunReport

_LEVELS = (
    ("used_in_proof", "Used in the proof"),
    ("used_in_sketch", "Used in the sketch"),
    ("consulted", "Consulted"),
)


def report_markdown(report: RunReport) -> str:
    """The whole report."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: RunReport) -> Iterator[str]:
    yield f"# Run {report.run_id}"
    yield ""
    yield f"{counts_line(report.outcomes, report.open)}."
    yield ""
    yield (
        f"Configuration `{report.config}`, {duration(report.elapsed_s)}, "
        f"Lean {duration(report.lean_ms / 1000)}, {calls_text(report.language_model)}."
    )
    yield from _table(
        ("line", "problem", "outcome", "attempts", "tried", "time", "what happened"),
        (row for entry in report.problems for row in _rows(entry)),
    )
    for entry in report.problems:
        yield from _proof(entry)
    if report.model_uses:
        yield "\n## Language model"
        yield from _table(HEAD, use_rows(report.model_uses))
    yield "\n## Who did what"
    yield from _table(
        ("process", "events", "Lean", "of which"),
        (
            (
                w.source,
                str(w.total),
                duration(w.lean_ms / 1000) if w.lean_ms else "",
                ", ".join(f"{count} {name}" for name, count in w.events.items()),
            )
            for w in report.workers
        ),
    )
    if report.advisories:
        yield "\n## Known holes of the Lean that accepted the proofs"
        yield from _table(("advisory", "what goes wrong"), list(report.advisories.items()))
        yield "\nWhat meets each of them: `configs/advisories.yaml`."
    if report.versions:
        yield "\n## Versions"
        yield from _table(("part", "version"), sorted(report.versions.items()))


def _rows(entry: ProblemEntry) -> Iterator[tuple[str, ...]]:
    yield _row(entry)
    for name, child in indented(entry.children, entry.name):
        outcome = child.outcome.value.replace("_", " ") if child.outcome else "open"
        calls = f"{child.llm_calls} calls" if child.llm_calls else ""
        yield "", name, outcome, "", calls, "", one_line(child.message)


def _row(entry: ProblemEntry) -> tuple[str, ...]:
    report = entry.report
    said = f"{entry.reason}: {entry.message}" if entry.reason else entry.message
    return (
        str(entry.line or ""),
        entry.name,
        entry.outcome.value.replace("_", " ") if entry.outcome else "open",
        str(len(report.attempts)) if report else "",
        str(report.candidates) if report else "",
        duration(entry.elapsed_s) if entry.elapsed_s is not None else "",
        one_line(said),
    )


def _table(
    head: tuple[str, ...], rows: Iterator[tuple[str, ...]] | list[tuple[str, str]]
) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_cell(text) for text in row)} |"


def _cell(text: str) -> str:
    flat = one_line(text, 400)
    return flat.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def _proof(entry: ProblemEntry) -> Iterator[str]:
    if entry.report is None or entry.report.proof is None:
        return
    proof = entry.report.proof
    yield f"\n## {'Refutation of' if proof.negated else 'Proof of'} {_cell(entry.name)}"
    yield ""
    text = printable(proof.source.strip())
    fence = "```"
    while fence in text:
        fence += "`"
    yield f"{fence}lean\n{text}\n{fence}"
    yield ""
    yield (
        f"By {_cell(proof.strategy)} in attempt {proof.attempt}; axioms: "
        f"{', '.join(proof.axioms) or 'none'}; Lean {proof.toolchain.lean_version}, "
        f"Mathlib: {'yes' if proof.mathlib else 'no'}; tier {proof.tier}; "
        f"isolation: {isolation_text(proof.isolation)}."
    )
    if entry.recheck is not None:
        word = "accepted again" if entry.recheck.accepted else "NOT accepted"
        yield f"\nA fresh Lean process: {word}. {_cell(entry.recheck.detail)}".rstrip()
    for words, names in (
        ("Constants of the proof term", proof.constants),
        ("Named in its text", proof.named_in_proof),
    ):
        if names:
            yield f"\n{words}: " + ", ".join(f"`{printable(name)}`" for name in names) + "."
    for field, words in _LEVELS:
        cited: tuple[Citation, ...] = getattr(entry.report.citations, field)
        if cited:
            yield f"\n{words}: " + ", ".join(_cited(citation) for citation in cited) + "."
    if entry.report.precision is not None:
        yield (
            f"\nLemma-use precision: {entry.report.used} of {entry.report.retrieved} retrieved."
        )
    for note in entry.report.statement_notes:
        yield f"\nNote: {_cell(note)}"


def _cited(citation: Citation) -> str:
    module = citation.locator.get("module_path")
    place = f" ({_cell(str(module))})" if module else ""
    return f"[{citation.citation_id}] `{printable(citation.label)}`{place}"
