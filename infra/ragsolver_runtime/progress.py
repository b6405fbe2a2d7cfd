"""Showing a run while it goes on: a live line on a terminal, plain lines anywhere else."""

import json
import time
from collections.abc import Callable
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ragsolver_runtime.follow import Progress
from ragsolver_runtime.render import calls_text, counts_line, duration, ended_line, printable
from ragsolver_runtime.run_report import problem_entry
from ragsolver_runtime.run_view import ProblemView, RunView, Stage

_SHOWN_OPEN = 4


class LiveProgress:
    """A bar with counts below the lines of ended problems, for a terminal."""

    def __init__(self, console: Console, view: RunView, total: int | None) -> None:
        self._view = view
        self._total = total
        self._began = time.monotonic()
        self._live = Live(
            console=console,
            get_renderable=self._state,
            refresh_per_second=4,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def note(self, text: str) -> None:
        """Print a line above the bar."""
        self._live.console.print(Text(printable(text), style="yellow"))

    def ended(self, problem: ProblemView) -> None:
        """Print the problem's line above the bar."""
        self._live.console.print(ended_line(problem_entry(problem)))

    def _state(self) -> RenderableType:
        return progress_state(self._view, self._total, time.monotonic() - self._began)


class PlainProgress:
    """One line per ended problem."""

    def __init__(self, print_line: Callable[[Text], None], total: int | None) -> None:
        self._print = print_line
        self._total = total
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to take down."""

    def note(self, text: str) -> None:
        """Print the line."""
        self._print(Text(printable(text)))

    def ended(self, problem: ProblemView) -> None:
        """Print the problem's line, numbered."""
        self._count += 1
        number = f"[{self._count}/{self._total}] " if self._total else f"[{self._count}] "
        self._print(Text(number).append_text(ended_line(problem_entry(problem))))


class JsonProgress:
    """One JSON object per ended problem and per note, for machines."""

    def __init__(self, print_line: Callable[[str], None]) -> None:
        self._print = print_line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to take down."""

    def note(self, text: str) -> None:
        """Print it as `{"note": …}`."""
        self._print(json.dumps({"note": text}, ensure_ascii=False))

    def ended(self, problem: ProblemView) -> None:
        """Print it as `{"ended": …}`, with what a report says of the problem."""
        self._print(f'{{"ended": {problem_entry(problem).model_dump_json()}}}')


def progress_for(console: Console, view: RunView, total: int | None) -> Progress:
    """What suits the console."""
    if console.is_terminal:
        return LiveProgress(console, view, total)
    return PlainProgress(lambda line: console.print(line, soft_wrap=True), total)


def progress_state(view: RunView, total: int | None, elapsed_s: float) -> RenderableType:
    """The bar, the counts by outcome, and what the open problems wait for."""
    ended = len(view.problems) - len(view.open_problems)
    whole = max(total or 0, len(view.problems), 1)
    head = Table.grid(padding=(0, 1))
    head.add_row(
        ProgressBar(total=whole, completed=ended, width=30),
        Text(f"{ended}/{whole}"),
        Text(counts_line(dict(view.outcomes())), style="bold"),
        Text(duration(elapsed_s), style="dim"),
    )
    stages = view.stages()
    waiting = ", ".join(
        f"{stages[stage]} {stage.value}"
        for stage in Stage
        if stage is not Stage.ENDED and stages[stage]
    )
    proving = [p for p in view.open_problems if p.stage is Stage.PROVING]
    named = ", ".join(f"{printable(p.label)} (attempt {p.attempt})" for p in proving[:_SHOWN_OPEN])
    idle = "finishing" if ended else "starting the workers"
    below = Text(waiting or idle, style="dim")
    if named:
        below.append(f": {named}")
    if view.calls.totals.calls:
        below.append(f"; {calls_text(view.calls.totals)}")
    return Group(head, below)
