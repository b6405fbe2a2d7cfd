import io
from collections import Counter

import click
from rich.console import Console

from ragsolver_verifier.finding import Finding, Result, summarize
from ragsolver_verifier.show_findings import as_text, progress_on, summary_table
from suites.scripted_lean import verdict_on, wrong

BAD = Finding(
    file="a.lean",
    name="bar",
    line=3,
    column=2,
    result=Result.REJECTED,
    detail="unsolved goals",
    verdict=verdict_on(wrong),
)
GOOD = Finding(file="a.lean", name="foo", result=Result.ACCEPTED, verdict=verdict_on())


def test_a_verdict_starts_with_its_place():
    lines = as_text(BAD).splitlines()
    assert lines[0] == "a.lean:3:2: rejected (elaboration_error): bar: unsolved goals"
    assert "  1:0: error: unsolved goals" in lines


def test_many_messages_are_cut():
    verdict = BAD.verdict.model_copy(update={"diagnostics": BAD.verdict.diagnostics * 9})
    text = as_text(BAD.model_copy(update={"verdict": verdict}))
    assert text.endswith("… 4 more messages")


def test_a_finding_about_the_file():
    said = Finding(file="a.lean", result=Result.UNREAD, detail="there is no such file")
    assert as_text(said) == "a.lean: unread: there is no such file"


def test_progress_without_a_terminal_is_a_line_now_and_then(capsys):
    with progress_on(Console(file=io.StringIO()), 3) as show:
        for _ in range(39):
            show(GOOD)
        show(BAD)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "1 of 3 files, 40 theorems judged, 1 not accepted"
    assert len(lines) == 2


def test_progress_on_a_terminal_keeps_standard_output_clean(capsys):
    shown = io.StringIO()
    with progress_on(Console(file=shown, force_terminal=True), 1) as show:
        show(GOOD)
        click.echo("result")
    assert capsys.readouterr().out == "result\n"
    assert "1 of 1 files" in shown.getvalue()


def test_the_table():
    summary = summarize([BAD, GOOD], Counter(example=2), sessions=1, elapsed_s=2.0, working_s=1.0)
    written = io.StringIO()
    Console(file=written, width=80).print(summary_table(summary))
    text = written.getvalue()
    for part in ("accepted", "elaboration_error", "not judged: example", "checks a second"):
        assert part in text
