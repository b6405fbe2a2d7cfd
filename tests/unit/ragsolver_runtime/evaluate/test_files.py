import csv
from pathlib import Path

from ragsolver_runtime.evaluate.files import write_files
from ragsolver_runtime.evaluate.outcomes import read_runs
from ragsolver_runtime.evaluate.summary import EvaluationReport, summarize
from suites.evaluated import evaluated


def test_the_same_traces_in_any_order_give_the_same_bytes(tmp_path: Path) -> None:
    traces = evaluated(tmp_path)
    first = write_files(summarize(read_runs(traces)), tmp_path / "one")
    again = write_files(summarize(read_runs(reversed(traces))), tmp_path / "two")
    assert [p.name for p in first] == [p.name for p in again]
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in again]


def test_json_and_csv_hold_every_run_and_problem(tmp_path: Path) -> None:
    made = summarize(read_runs(evaluated(tmp_path)))
    write_files(made, tmp_path / "out")
    read = EvaluationReport.model_validate_json((tmp_path / "out/evaluation.json").read_bytes())
    assert read == made
    with (tmp_path / "out/problems.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 20
    assert {r["contaminated"] for r in rows if r["name"] == "copied"} == {"True"}
    with (tmp_path / "out/configurations.csv").open() as stream:
        full, no_rag = csv.DictReader(stream)
    assert (full["pass_at_1"], no_rag["difference"]) == ("0.625", "-0.125")
    assert (tmp_path / "out/errors.csv").read_text().splitlines()[1] == "full,unsolved_goals,10"
