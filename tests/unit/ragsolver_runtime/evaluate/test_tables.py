from pathlib import Path

from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_runtime.evaluate.outcomes import read_runs
from ragsolver_runtime.evaluate.summary import summarize
from ragsolver_runtime.evaluate.tables import outcome_table, report_markdown
from suites.evaluated import evaluated


def test_every_part_is_in_the_report(tmp_path: Path) -> None:
    text = report_markdown(summarize(read_runs(evaluated(tmp_path))))
    assert "1 excluded" in text
    assert "- copied: statement, Nat.x" in text
    assert "| no_rag | 4 | -12.5 |" in text
    assert "Proved only with retrieval: 1 (lemma)." in text
    assert "| full | 4 | 4 | 0 | 50.0 % (4/8) |" in text


def test_infrastructure_has_a_column_of_its_own(tmp_path: Path) -> None:
    head, _, full, _ = outcome_table(summarize(read_runs(evaluated(tmp_path))))
    row = dict(zip(head.split(" | "), full.split(" | "), strict=True))
    assert row["infrastructure"] == "1"
    assert row["pass@1"] == "62.5 %"
    assert row["pass@2"] == "66.7 %"


def test_why_nothing_was_compared_is_said(tmp_path: Path) -> None:
    found = summarize(read_runs(evaluated(tmp_path)))
    skipped = ContaminationCheck(skipped="No corpus was compared.")
    text = report_markdown(found.model_copy(update={"contamination": skipped}))
    assert "Contamination: No corpus was compared." in text
