"""How a run report looks on a terminal.

Problem texts, proofs and messages are untrusted: control characters are made visible, and no
markup in them is interpreted.
"""

import re
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ragsolver_contracts.lean import Isolation
from ragsolver_contracts.report import Outcome, Proof, SolutionReport
from ragsolver_contracts.retrieval import Citation
from ragsolver_runtime.model_use import HEAD, ModelTotals, use_rows
from ragsolver_runtime.run_children import indented
from ragsolver_runtime.run_report import ProblemDetail, ProblemEntry, RunReport, WorkerShare

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_STYLES = {
    Outcome.SOLVED: "green",
    Outcome.STATEMENT_FALSE: "magenta",
    Outcome.NOT_PROVED: "yellow",
    Outcome.INFRASTRUCTURE: "bold red",
    Outcome.REFUSED: "cyan",
    Outcome.CANCELLED: "bright_black",
}
_LEVELS = (
    ("used_in_proof", "used in proof"),
    ("used_in_sketch", "used in sketch"),
    ("consulted", "consulted"),
)
_SHOWN_CONSULTED = 8
_SHOWN_NAMES = 12


def printable(text: str) -> str:
    """The text with control and direction-changing characters shown as `�`."""
    return _CONTROL.sub("�", text.replace("\t", "    "))


def one_line(text: str, limit: int = 160) -> str:
    """The text on one line, cut at `limit` characters."""
    flat = " ".join(printable(text.replace("\n", " ")).split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def outcome_text(outcome: Outcome | None) -> Text:
    """The outcome in words, coloured."""
    if outcome is None:
        return Text("open", style="blue")
    return Text(outcome.value.replace("_", " "), style=_STYLES[outcome])


def isolation_text(isolation: Isolation) -> str:
    """`webassembly, node permissions`."""
    return (
        ", ".join(layer.value.replace("_", " ") for layer in isolation.layers) or "none recorded"
    )


def calls_text(totals: ModelTotals) -> str:
    """`12 LLM calls (1 lost, 3 from the recording), $0.04`."""
    parts = ((totals.lost, "lost"), (totals.reused, "from the recording"))
    of_them = ", ".join(f"{count} {words}" for count, words in parts if count)
    said = f"{totals.calls} LLM calls" + (f" ({of_them})" if of_them else "")
    return f"{said}, ${totals.cost_usd:.2f}"


def counts_line(outcomes: dict[str, int], still_open: int = 0) -> str:
    """`5 solved, 1 not proved, 2 refused`."""
    ended = [(outcomes[o.value], o.value) for o in Outcome if outcomes.get(o.value)]
    parts = [f"{count} {name.replace('_', ' ')}" for count, name in ended]
    if still_open:
        parts.append(f"{still_open} open")
    return ", ".join(parts) or "nothing yet"


def ended_line(entry: ProblemEntry) -> Text:
    """One line for one ended problem."""
    line = outcome_text(entry.outcome)
    line.pad_right(max(0, 16 - len(line)))
    line.append(printable(entry.name), style="bold")
    if entry.elapsed_s is not None:
        line.append(f"  {duration(entry.elapsed_s)}", style="dim")
    line.append(f"  {one_line(_what_happened(entry), 110)}")
    return line


def report_text(report: RunReport, *, proofs: bool = True) -> RenderableType:
    """The whole report."""
    parts: list[RenderableType] = [_headline(report), "", _problems(report.problems)]
    without = sum(p.compatibility_header for p in report.problems)
    if without:
        said = f"{without} of the statements were read with a core-Lean header, without Mathlib."
        parts.append(Text(said, style="dim"))
    parts.append("")
    if proofs:
        for entry in report.problems:
            if entry.report is not None and entry.report.proof is not None:
                parts += [*_proof(entry, entry.report.proof), ""]
    if report.model_uses:
        parts += [Text("Language model", style="bold"), _model_uses(report), ""]
    parts += [Text("Who did what", style="bold"), _workers(report.workers)]
    versions = ", ".join(f"{k} {v}" for k, v in sorted(report.versions.items()))
    if versions:
        parts += ["", Text(printable(f"Versions: {versions}"), style="dim")]
    return Group(*parts)


def detail_text(detail: ProblemDetail) -> RenderableType:
    """One problem with every candidate."""
    entry = detail.entry
    parts: list[RenderableType] = [ended_line(entry), ""]
    if detail.statement:
        parts += [_code(detail.statement), ""]
    if entry.report is not None:
        parts += [_attempts(entry.report), ""]
        proof = entry.report.proof
        parts += _proof(entry, proof) if proof is not None else _citations(entry.report)
    parts.append(_candidates(detail))
    parts += [Text(printable(failure), style="red") for failure in detail.failures]
    return Group(*parts)


def write_text(renderable: RenderableType, width: int = 100) -> str:
    """What would be printed, without colours, for a file or a pipe."""
    console = Console(width=width, color_system=None, force_terminal=False, highlight=False)
    with console.capture() as captured:
        console.print(renderable, crop=False)
    return captured.get()


def _headline(report: RunReport) -> Text:
    state = "finished" if report.finished_at else "unfinished"
    head = Text.assemble(("Run ", "bold"), (printable(report.run_id), "bold"), f" ({state})")
    head.append(f"\n{counts_line(report.outcomes, report.open)}")
    head.append(f"\nconfiguration {printable(report.config) or '?'}")
    head.append(f", {duration(report.elapsed_s)}, Lean {duration(report.lean_ms / 1000)}")
    head.append(f", {calls_text(report.language_model)}")
    if report.precision is not None:
        said = f"{report.used} of {report.retrieved} retrieved"
        head.append(f"\nlemma-use precision {report.precision:.0%} ({said})")
    checked = [p.recheck for p in report.problems if p.recheck is not None]
    if checked:
        good = sum(r.accepted for r in checked)
        style = "green" if good == len(checked) else "bold red"
        said = f"\n{good} of {len(checked)} proofs accepted again by a fresh Lean process"
        head.append(said, style=style)
    return head


def _problems(entries: Sequence[ProblemEntry]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), expand=True)
    table.add_column("line", justify="right", no_wrap=True)
    table.add_column("problem", overflow="fold", ratio=4)
    table.add_column("outcome", no_wrap=True)
    table.add_column("tried", justify="right", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    table.add_column("what happened", overflow="fold", ratio=6)
    for entry in entries:
        table.add_row(*_problem_row(entry))
        for name, child in indented(entry.children, entry.name):
            calls = f"{child.llm_calls} calls" if child.llm_calls else ""
            said = Text(one_line(child.message))
            table.add_row("", Text(name), outcome_text(child.outcome), calls, "", said)
    return table


def _problem_row(entry: ProblemEntry) -> Iterator[Text]:
    report = entry.report
    yield Text(str(entry.line or ""))
    yield Text(printable(entry.name))
    yield outcome_text(entry.outcome)
    yield Text(f"{report.candidates} in {len(report.attempts)}" if report else "")
    yield Text(duration(entry.elapsed_s) if entry.elapsed_s is not None else "")
    yield Text(_what_happened(entry))


def _what_happened(entry: ProblemEntry) -> str:
    said = one_line(f"{entry.reason}: {entry.message}" if entry.reason else entry.message)
    if entry.outcome is None:
        said = entry.stage
    if entry.recheck is not None and not entry.recheck.accepted:
        word = "could not be re-checked" if entry.recheck.failed else "NOT accepted again"
        said = f"{word}: {one_line(entry.recheck.detail)}; {said}"
    return said


def _proof(entry: ProblemEntry, proof: Proof) -> Iterator[RenderableType]:
    word = "Refutation of" if proof.negated else "Proof of"
    yield Text.assemble((f"{word} {printable(entry.name)}", "bold"), f" by {proof.strategy}")
    yield _code(proof.source)
    axioms = ", ".join(proof.axioms) or "none"
    checked = f"attempt {proof.attempt}, axioms: {axioms}, Lean {proof.toolchain.lean_version}"
    yield Text(printable(f"  {checked}, Mathlib: {'yes' if proof.mathlib else 'no'}"), style="dim")
    stands = f"tier {proof.tier}, isolation: {isolation_text(proof.isolation)}"
    if proof.toolchain.advisories:
        stands += (
            f", known kernel holes: {len(proof.toolchain.advisories)} (`ragsolver lean status`)"
        )
    yield Text(printable(f"  {stands}"), style="dim")
    yield from _names(proof)
    if entry.report is not None:
        yield from _citations(entry.report)


def _names(proof: Proof) -> Iterator[Text]:
    """What the proof rests on and what its text names: two sets, neither part of the other."""
    for words, names in (
        ("constants of the term", proof.constants),
        ("named in the text", proof.named_in_proof),
    ):
        if names:
            more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
            listed = ", ".join(names[:_SHOWN_NAMES])
            yield Text(printable(f"  {words}: {listed}{more}"), style="dim")


def _citations(report: SolutionReport) -> Iterator[Text]:
    for field, words in _LEVELS:
        cited: tuple[Citation, ...] = getattr(report.citations, field)
        if not cited:
            continue
        shown = cited[:_SHOWN_CONSULTED] if field == "consulted" else cited
        more = f" and {len(cited) - len(shown)} more" if len(cited) > len(shown) else ""
        named = ", ".join(f"[{c.citation_id}] {c.label}{_place(c)}" for c in shown)
        yield Text(printable(f"  {words}: {named}{more}"))
    if report.precision is not None:
        said = f"  lemma-use precision: {report.used} of {report.retrieved} retrieved"
        yield Text(said, style="dim")
    for note in report.statement_notes:
        yield Text(printable(f"  Note: {note}"), style="yellow")


def _place(citation: Citation) -> str:
    module = citation.locator.get("module_path")
    return f" ({module})" if module else ""


def _attempts(report: SolutionReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    for name in ("attempt", "engine", "stage", "candidates", "judged", "Lean", "outcome"):
        table.add_column(name, overflow="fold")
    for a in report.attempts:
        spent = duration(a.lean_ms / 1000)
        cells = (a.attempt, a.engine, a.stage, a.candidates, a.judged, spent, a.outcome)
        table.add_row(*(Text(printable(str(cell))) for cell in cells))
    return table


def _candidates(detail: ProblemDetail) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("no.", "strategy", "proof", "status", "detail", "Lean", "judged by"):
        table.add_column(name, overflow="fold")
    for c in detail.candidates:
        status = f"{c.status}: {c.reason}" if c.reason else c.status
        spent = duration(c.elapsed_ms / 1000) if c.elapsed_ms else ""
        proof, said = one_line(c.proof, 70), one_line(c.detail, 80)
        number = f"{c.attempt}.{c.candidate}"
        cells = (number, c.strategy, proof, status, said, spent, c.judged_by)
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table


def _model_uses(report: RunReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in HEAD:
        words = name in {"agent", "model", "how they ended"}
        table.add_column(name, overflow="fold", justify="left" if words else "right")
    for cells in use_rows(report.model_uses):
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table


def _workers(shares: Sequence[WorkerShare]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("process", no_wrap=True)
    table.add_column("events", justify="right")
    table.add_column("Lean", justify="right")
    table.add_column("of which", overflow="fold")
    for share in shares:
        kinds = ", ".join(f"{count} {name}" for name, count in share.events.items())
        spent = duration(share.lean_ms / 1000) if share.lean_ms else ""
        cells = (share.source, str(share.total), spent, kinds)
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table


def _code(text: str) -> Text:
    """Lean text, indented and never wrapped: it is there to be copied."""
    lines = printable(text.strip()).split("\n")
    joined = "\n".join(f"    {line}".rstrip() for line in lines)
    return Text(joined, no_wrap=True, overflow="ignore")
