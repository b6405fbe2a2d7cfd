from ragsolver_runtime.recheck import RecheckResult
from ragsolver_runtime.render_markdown import report_markdown
from ragsolver_runtime.run_report import report_of_events
from suites.asking_world import call_events
from suites.sample_run import ADVISORY, RUN, sample_run


def test_markdown_has_table_proof_citations_and_shares() -> None:
    report = report_of_events(RUN, sample_run())
    text = report_markdown(report.with_rechecks([RecheckResult("add_zero_nat", accepted=True)]))
    assert "| 1 | add_zero_nat | solved | 1 | 2 |" in text
    assert "```lean\ntheorem add_zero_nat (n : Nat) : n + 0 = n := by simp" in text
    assert "Used in the proof: [M1] `Nat.add_zero` (Init.Core)." in text
    assert "A fresh Lean process: accepted again." in text
    assert "| verifier/one | 7 |" in text


def test_the_terms_constants_and_the_texts_names_stand_apart() -> None:
    text = report_markdown(report_of_events(RUN, sample_run()))
    assert "\nConstants of the proof term: `Nat.add_zero`.\n" in text
    assert "\nNamed in its text: `rfl`.\n" in text


def test_cells_cannot_break_the_table() -> None:
    events = sample_run()
    report = report_of_events(RUN, events)
    evil = report.problems[3].model_copy(update={"message": "a | b\nc <script>"})
    text = report_markdown(report.model_copy(update={"problems": (evil,)}))
    assert "a \\| b c &lt;script>" in text


def test_a_fence_in_the_proof_is_fenced_longer() -> None:
    report = report_of_events(RUN, sample_run())
    solved = report.problems[0]
    assert solved.report is not None
    assert solved.report.proof is not None
    proof = solved.report.proof.model_copy(update={"source": "/-\n```\n-/"})
    changed = solved.model_copy(
        update={"report": solved.report.model_copy(update={"proof": proof})}
    )
    text = report_markdown(report.model_copy(update={"problems": (changed,)}))
    assert "````lean\n/-\n```\n-/\n````" in text


def test_what_stands_behind_a_proof_is_told() -> None:
    text = report_markdown(report_of_events(RUN, sample_run()))
    assert "tier checked; isolation: none recorded." in text
    assert f"| {ADVISORY} | parametric arguments" in text
    assert "| lean4-0-unknown-here |  |" in text


def with_calls() -> list:
    events = sample_run()
    cause = next(e for e in events if e.problem_id == "hard")
    return [*events, *call_events(cause, "hard", RUN)]


def test_calls_of_a_language_model_have_a_section_where_there_were_any() -> None:
    text = report_markdown(report_of_events(RUN, with_calls()))
    assert "2 LLM calls (1 lost), $0.25." in text
    assert "| generator | claude-sonnet-4-5 | 2 | 1 answered, 1 lost |" in text
    assert "Language model" not in report_markdown(report_of_events(RUN, sample_run()))


def test_precision_and_notes_are_written() -> None:
    report = report_of_events(RUN, sample_run())
    entry = report.problems[0]
    assert entry.report is not None
    noted = entry.report.model_copy(update={"statement_notes": ("A model wrote it.",)})
    problems = (entry.model_copy(update={"report": noted}), *report.problems[1:])
    text = report_markdown(report.model_copy(update={"problems": problems}))
    assert "Lemma-use precision: 1 of 4 retrieved." in text
    assert "Note: A model wrote it." in text
