"""A run and its problems as rows of a table: filtered, sorted, one page at a time."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import AwareDatetime

from ragsolver_contracts.base import Model
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.model_use import CallCounter
from ragsolver_runtime.run_report import RunReport, run_report
from ragsolver_runtime.run_view import ProblemView, Stage
from ragsolver_runtime.web.feed import FeedState, RunFeed

OPEN = "open"
DOUBT = "doubt"

Sort = Literal["order", "recent", "name", "time", "calls", "cost"]


class Row(Model):
    """One problem, or one input that never became one."""

    problem: str
    name: str
    line: int | None = None
    outcome: Outcome | None = None
    stage: Stage
    attempt: int = 0
    candidates: int = 0
    verdicts: int = 0
    children: int = 0
    started_at: AwareDatetime | None = None
    elapsed_s: float | None = None
    """To its end; none while it is open."""
    calls: int = 0
    cost_usd: float = 0.0
    message: str = ""
    doubts: tuple[str, ...] = ()
    """What a reader has to know of the statement."""
    seq: int = 0


class Page(Model):
    """Some rows, and how many there are."""

    rows: tuple[Row, ...]
    total: int
    """Rows that the filter keeps."""
    counts: dict[str, int]
    """Of all rows: by outcome, `open` and `doubt`."""
    stages: dict[str, int]
    """Open problems by stage."""


class Head(Model):
    """A run without its problems."""

    report: RunReport
    state: FeedState
    seq: int
    """Everything up to this place in the stream is in it."""
    standing: bool
    """Whether it takes problems as they come."""


def head_of(feed: RunFeed) -> Head:
    """The run as far as it was read."""
    view = feed.view
    bare = run_report(view).model_copy(update={"problems": ()})
    standing = view.started is not None and view.started.problem_count is None
    return Head(report=bare, state=feed.state, seq=feed.last, standing=standing)


def page_of(
    feed: RunFeed,
    *,
    only: str = "",
    text: str = "",
    sort: str = "order",
    offset: int = 0,
    limit: int = 100,
) -> Page:
    """One page of a run's problems.

    Args:
        feed: the run.
        only: an outcome, `open` or `doubt`; empty for all.
        text: part of a name or message, in any case.
        sort: one of `Sort`; anything else is the order of the input.
        offset: rows to skip.
        limit: most rows.
    """
    views = list(feed.view.problems.values())
    wanted = text.casefold()
    kept = [v for v in views if _is(feed, v, only) and (not wanted or wanted in _words(v))]
    kept.sort(key=_order(feed, sort))
    below = _children(feed.view.children.values())
    shown = kept[offset : offset + limit]
    counts = dict(feed.view.outcomes())
    counts[OPEN] = sum(v.outcome is None for v in views)
    counts[DOUBT] = sum(bool(doubts_of(feed, v)) for v in views)
    waiting = [v for v in views if v.outcome is None]
    return Page(
        rows=tuple(row_of(feed, v, below.get(v.problem_id, 0)) for v in shown),
        total=len(kept),
        counts=counts,
        stages={s.value: n for s in Stage if (n := sum(v.stage is s for v in waiting))},
    )


def row_of(feed: RunFeed, view: ProblemView, children: int = 0) -> Row:
    """The row of one problem."""
    calls = feed.calls.get(view.problem_id, CallCounter()).totals
    return Row(
        problem=view.problem_id,
        name=view.label,
        line=view.line,
        outcome=view.outcome,
        stage=view.stage,
        attempt=view.attempt,
        candidates=view.candidates,
        verdicts=view.verdicts,
        children=children,
        started_at=view.first_at,
        elapsed_s=elapsed_of(view),
        calls=max(calls.calls, view.report.llm_calls if view.report else 0),
        cost_usd=calls.cost_usd,
        message=view.message,
        doubts=doubts_of(feed, view),
        seq=feed.touched.get(view.problem_id, 0),
    )


def doubts_of(feed: RunFeed, view: ProblemView) -> tuple[str, ...]:
    """Why the statement may not be what was meant; empty where nothing says so."""
    found = ["the statement is false as given"] * (view.outcome is Outcome.STATEMENT_FALSE)
    if view.problem_id in feed.doubted:
        found.append(feed.doubted[view.problem_id])
    if view.report is not None:
        found += ["a machine wrote the statement"] * view.report.machine_written_statement
        found += view.report.statement_notes
    return tuple(found)


def elapsed_of(view: ProblemView) -> float | None:
    """Seconds from the first event to the end."""
    if view.first_at is None or view.ended_at is None:
        return None
    return max(0.0, (view.ended_at - view.first_at).total_seconds())


def _is(feed: RunFeed, view: ProblemView, only: str) -> bool:
    if not only:
        return True
    if only == OPEN:
        return view.outcome is None
    if only == DOUBT:
        return bool(doubts_of(feed, view))
    return view.outcome is not None and view.outcome.value == only


def _words(view: ProblemView) -> str:
    return f"{view.label}\n{view.problem_id}\n{view.message}".casefold()


def _children(views: Iterable[ProblemView]) -> dict[str, int]:
    found: dict[str, int] = {}
    for view in views:
        found[view.parent] = found.get(view.parent, 0) + 1
    return found


def _order(feed: RunFeed, sort: str) -> Callable[[ProblemView], Any]:
    def _in_file(view: ProblemView) -> tuple[Any, ...]:
        return (view.line is None, view.line or 0, view.first_at or _LAST, view.problem_id)

    def _calls(view: ProblemView) -> CallCounter:
        return feed.calls.get(view.problem_id, CallCounter())

    keys: dict[str, Callable[[ProblemView], Any]] = {
        "recent": lambda v: -feed.touched.get(v.problem_id, 0),
        "name": lambda v: (v.label.casefold(), v.problem_id),
        "time": lambda v: (-(elapsed_of(v) or 0.0), _in_file(v)),
        "calls": lambda v: (-_calls(v).totals.calls, _in_file(v)),
        "cost": lambda v: (-_calls(v).totals.cost_usd, _in_file(v)),
    }
    return keys.get(sort, _in_file)


_LAST = datetime.max.replace(tzinfo=UTC)
