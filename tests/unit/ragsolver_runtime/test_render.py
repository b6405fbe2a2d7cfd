import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.lean import Isolation, IsolationLayer
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.recheck import RecheckResult
from ragsolver_runtime.render import (
    counts_line,
    detail_text,
    duration,
    ended_line,
    isolation_text,
    one_line,
    printable,
    report_text,
    write_text,
)
from ragsolver_runtime.run_report import ProblemEntry, problem_detail, report_of_events
from suites.asking_world import call_events
from suites.sample_run import RUN, RunWriter, sample_run, write_solved


def test_report_shows_fates_proofs_citations_and_shares() -> None:
    text = write_text(report_text(report_of_events(RUN, sample_run())), width=160)
    for expected in (
        "1 solved, 1 not proved, 2 refused, 1 cancelled",
        "theorem add_zero_nat (n : Nat) : n + 0 = n := by simp [Nat.add_zero]",
        "used in proof: [M1] Nat.add_zero (Init.Core)",
        "consulted: [M2] Nat.zero_add",
        "constants of the term: Nat.add_zero",
        "named in the text: rfl",
        "needs_mathlib: Needs Mathlib",
        "bad_json: Line is not JSON.",
        "2 in 1",
        "verifier/one",
        "4 verdict_issued",
        "lean 4.28.0-pre",
        "tier checked, isolation: none recorded, known kernel holes: 2",
    ):
        assert expected in text


def test_report_without_proofs_is_short() -> None:
    text = write_text(report_text(report_of_events(RUN, sample_run()), proofs=False), width=160)
    assert "simp [Nat.add_zero]" not in text


def test_recheck_is_told() -> None:
    report = report_of_events(RUN, sample_run())
    results = [RecheckResult("add_zero_nat", accepted=False, detail="axiom sorryAx")]
    text = write_text(report_text(report.with_rechecks(results)), width=160)
    assert "0 of 1 proofs accepted again" in text
    assert "NOT accepted again: axiom sorryAx" in text


def test_detail_shows_every_candidate() -> None:
    run = RunWriter()
    write_solved(run, "p", 1)
    text = write_text(detail_text(problem_detail(Case.fold(RUN, "p", run.events))), width=200)
    assert "1.0" in text
    assert "rejected: elaboration_error" in text
    assert "1.1" in text
    assert "accepted" in text


def test_untrusted_text_can_neither_steer_the_terminal_nor_be_markup() -> None:
    entry = ProblemEntry(
        problem_id="p",
        name="\x1b[2Jp[red]x[/red]",
        outcome=Outcome.REFUSED,
        stage="ended",
        message="a\u202eb [link=x]y[/link]",
        events=1,
    )
    text = write_text(ended_line(entry), width=160)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]x[/red]" in text
    assert "[link=x]y[/link]" in text


def test_printable_keeps_mathematics_and_line_ends() -> None:
    assert printable("∀ n : ℕ,\n  n ≥ 0\x07") == "∀ n : ℕ,\n  n ≥ 0�"


def test_one_line_cuts() -> None:
    assert one_line("a\n b\t c") == "a b c"
    assert one_line("x" * 20, 10) == "x" * 9 + "…"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.25, "250 ms"), (12.34, "12.3 s"), (62, "1 min 02 s"), (3_720, "1 h 02 min")],
)
def test_duration(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_counts_line() -> None:
    assert counts_line({}, 0) == "nothing yet"
    assert counts_line({"refused": 2, "solved": 5}, 1) == "5 solved, 2 refused, 1 open"


def test_isolation_is_said_in_words() -> None:
    layers = (IsolationLayer.WEBASSEMBLY, IsolationLayer.NODE_PERMISSIONS)
    assert isolation_text(Isolation(layers=layers)) == "webassembly, node permissions"
    assert isolation_text(Isolation()) == "none recorded"


def with_calls() -> list:
    events = sample_run()
    cause = next(e for e in events if e.problem_id == "hard")
    return [*events, *call_events(cause, "hard", RUN)]


def test_calls_of_a_language_model_are_a_table_where_there_were_any() -> None:
    text = write_text(report_text(report_of_events(RUN, with_calls())), width=160)
    assert "2 LLM calls (1 lost), $0.25" in text
    assert "Language model" in text
    assert "1 answered, 1 lost" in text
    without = write_text(report_text(report_of_events(RUN, sample_run())), width=160)
    assert "Language model" not in without
    assert "0 LLM calls, $0.00" in without


def test_precision_and_notes_are_shown() -> None:
    report = report_of_events(RUN, sample_run())
    entry = report.problems[0]
    assert entry.report is not None
    noted = entry.report.model_copy(update={"statement_notes": ("A model wrote [it].",)})
    problems = (entry.model_copy(update={"report": noted}), *report.problems[1:])
    text = write_text(report_text(report.model_copy(update={"problems": problems})))
    assert "lemma-use precision 25% (1 of 4 retrieved)" in text
    assert "lemma-use precision: 1 of 4 retrieved" in text
    assert "Note: A model wrote [it]." in text
