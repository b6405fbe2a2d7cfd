"""Replays and differences for people."""

from collections.abc import Iterable

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ragsolver_runtime.render import one_line, printable
from ragsolver_runtime.replay.compare import Parting
from ragsolver_runtime.replay.costs import Cost
from ragsolver_runtime.replay.report import ReplayReport

_HASH_SHOWN = 16


def replay_text(report: ReplayReport) -> RenderableType:
    """A replay's report."""
    replay = report.replay
    lines = [
        f"run {report.run_id} replays {replay.run_id} under {report.config}, LLM: {replay.llm}"
        + (", every Lean check done again" if replay.recheck else ""),
        *(
            f"  {reason.what}: touches {reason.stage.value}"
            + (f" ({reason.old} → {reason.new})" if reason.old or reason.new else "")
            for reason in replay.reasons
        ),
        f"used again: {cost_text(report.spent.reused)}",
        f"done now:   {cost_text(report.spent.live)}",
        _verdict(report),
    ]
    body: list[RenderableType] = [Text(printable(line)) for line in lines]
    parted = [problem for problem in report.problems if problem.parting is not None]
    if parted:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in ("problem", "was", "is", "parts at", "why", "cost of it"):
            table.add_column(name)
        for problem in parted:
            found = problem.parting
            assert found is not None  # noqa: S101 - filtered above
            table.add_row(
                printable(problem.name),
                problem.old.value if problem.old else "open",
                problem.new.value if problem.new else "open",
                printable(f"{found.event} {found.field}".strip()),
                printable(_why(found)),
                cost_text(problem.spent.live),
            )
        body.append(table)
    return Group(*body)


def _why(found: Parting) -> str:
    """Why they part; what the configuration changed stands above the table already."""
    told = found.detail and not found.detail.startswith("changed: ")
    return f"{found.cause.value}: {found.detail}" if told else found.cause.value


def _verdict(report: ReplayReport) -> str:
    count = len(report.problems)
    if report.same:
        shown = report.new_state[:_HASH_SHOWN]
        return f"the same state in all {count} problems: {shown}"
    old, new = report.old_state[:_HASH_SHOWN], report.new_state[:_HASH_SHOWN]
    return f"{len(report.parted)} of {count} problems parted: state {old} became {new}"


def cost_text(cost: Cost) -> str:
    """A cost in words; short."""
    parts = [
        (cost.llm_calls, f"{cost.llm_calls} LLM calls ({cost.llm_tokens} tokens)"),
        (cost.lean_checks, f"{cost.lean_checks} Lean checks ({cost.lean_s:.1f} s)"),
        (cost.retrievals, f"{cost.retrievals} retrievals"),
    ]
    return ", ".join(text for number, text in parts if number) or "nothing"


def partings_text(found: Iterable[Parting]) -> str:
    """Differences as text: four lines each."""
    return "\n".join(
        printable(
            f"{item.problem_id}: {item.cause.value}: {item.worker} said another "
            f"{item.event}{item.field and f' at {item.field}'}"
            f"{item.detail and f' ({item.detail})'}\n"
            f"  A: {one_line(item.old)}\n  B: {one_line(item.new)}"
        )
        for item in found
    )
