import io

from rich.console import Console
from rich.text import Text

from ragsolver_runtime.progress import (
    LiveProgress,
    PlainProgress,
    progress_for,
    progress_state,
)
from ragsolver_runtime.render import write_text
from ragsolver_runtime.run_view import RunView
from suites.asking_world import call_events
from suites.sample_run import RUN, sample_run


def view_of(count: int | None = None) -> RunView:
    view = RunView(RUN)
    for event in sample_run(finished=False)[:count]:
        view.apply(event)
    return view


def test_state_counts_ended_problems_and_says_what_the_others_wait_for() -> None:
    text = write_text(progress_state(view_of(), 5, 62.0))
    assert "4/5" in text
    assert "1 solved, 1 not proved, 2 refused" in text
    assert "1 min 02 s" in text
    assert "1 submitted" in text


def test_state_names_what_is_being_proved() -> None:
    events = sample_run()
    position = next(i for i, e in enumerate(events) if e.name == "proof_sketched")
    text = write_text(progress_state(view_of(position + 1), 5, 1.0))
    assert "1 proving: add_zero_nat (attempt 1)" in text


def test_state_before_anything_happened() -> None:
    assert "starting the workers" in write_text(progress_state(RunView(RUN), 5, 0.1))


def test_plain_progress_is_one_line_per_ended_problem() -> None:
    lines: list[Text] = []
    with PlainProgress(lines.append, 5) as progress:
        progress.note("[red]note[/red]")
        progress.ended(view_of().problems["add_zero_nat"])
    assert lines[0].plain == "[red]note[/red]"
    assert lines[1].plain.startswith("[1/5] solved          add_zero_nat")


def test_the_console_decides() -> None:
    pipe = Console(file=io.StringIO(), force_terminal=False)
    terminal = Console(file=io.StringIO(), force_terminal=True)
    assert isinstance(progress_for(pipe, view_of(), 5), PlainProgress)
    assert isinstance(progress_for(terminal, view_of(), 5), LiveProgress)


def test_live_progress_prints_ended_problems_above_the_bar() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    view = view_of()
    with LiveProgress(console, view, 5) as progress:
        progress.ended(view.problems["hard"])
        progress.note("something odd")
    assert "hard" in screen.getvalue()
    assert "something odd" in screen.getvalue()


def test_state_counts_calls_of_a_language_model() -> None:
    view = view_of()
    assert "LLM" not in write_text(progress_state(view, 5, 1.0))
    for event in call_events(sample_run()[1], "add_zero_nat", RUN):
        view.apply(event)
    assert "2 LLM calls (1 lost), $0.25" in write_text(progress_state(view, 5, 1.0))
