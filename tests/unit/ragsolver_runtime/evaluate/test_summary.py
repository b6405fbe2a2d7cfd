from pathlib import Path

import pytest

from ragsolver_runtime.evaluate.outcomes import read_runs
from ragsolver_runtime.evaluate.summary import EvaluationReport, summarize
from suites.evaluated import evaluated


@pytest.fixture
def report(tmp_path: Path) -> EvaluationReport:
    return summarize(read_runs(evaluated(tmp_path)))


def test_contaminated_problems_are_excluded_and_counted(report: EvaluationReport) -> None:
    assert report.excluded == ("copied",)
    full, no_rag = report.configurations
    assert full.outcomes == {"infrastructure": 1, "not_proved": 3, "solved": 4}
    assert full.pass_at_1_with_contaminated == pytest.approx((1 + 0.5 + 0 + 1 + 1) / 5)
    assert no_rag.pass_at_1_with_contaminated == pytest.approx(2 / 5)


def test_a_failure_of_infrastructure_is_no_sample(report: EvaluationReport) -> None:
    full = report.configurations[0]
    assert (full.name, full.problems, full.samples, full.proved) == ("full", 4, 7, 4)
    assert full.pass_at[1] == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert full.pass_at[2] == pytest.approx((1 + 1 + 0) / 3, abs=1e-6)
    assert any("infrastructure" in note for note in report.notes)


def test_the_others_are_compared_with_the_baseline(report: EvaluationReport) -> None:
    (against,) = report.comparisons
    assert (against.name, against.baseline, against.pairs) == ("no_rag", "full", 4)
    assert (against.better, against.worse) == ((), ("lemma",))
    assert against.difference == -0.125
    assert report.only_with_retrieval == ("lemma",)
    assert report.only_without_retrieval == ()


def test_what_retrieval_did(report: EvaluationReport) -> None:
    full, no_rag = (one.retrieval for one in report.configurations)
    assert (full.proofs, full.cited, full.used, full.retrieved) == (4, 4, 4, 8)
    assert full.precision == 0.5
    assert (no_rag.cited, no_rag.precision) == (0, None)


def test_errors_and_time(report: EvaluationReport) -> None:
    full = report.configurations[0]
    assert full.errors == {"unsolved_goals": 4 + 2 * 3}
    assert full.lean_to_proof_s is not None
    assert (full.lean_to_proof_s.count, full.lean_to_proof_s.median) == (4, 0.05)
    assert full.wall_to_proof_s is not None


def test_another_baseline_and_equal_settings_are_told(tmp_path: Path) -> None:
    runs = read_runs(evaluated(tmp_path))
    assert summarize(runs, "no_rag").configurations[0].name == "no_rag"
    twin = runs[0].model_copy(
        update={"run_id": "x", "config": runs[0].config.model_copy(update={"name": "twin"})}
    )
    notes = " ".join(summarize([*runs, twin]).notes)
    assert "twin has the settings of full" in notes


def test_no_runs_are_an_empty_report() -> None:
    assert summarize([]).configurations == ()
