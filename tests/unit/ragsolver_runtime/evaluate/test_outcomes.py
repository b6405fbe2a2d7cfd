from pathlib import Path

import pytest

from ragsolver_contracts.testing import EPOCH
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.evaluate.outcomes import read_runs
from suites.evaluated import trace_of
from suites.sample_run import sample_run


def test_a_run_is_read_problem_by_problem(tmp_path: Path) -> None:
    (run,) = read_runs([trace_of(tmp_path / "t.jsonl", sample_run())])
    assert run.started_at == EPOCH
    by_name = {p.name: p for p in run.problems}
    solved = by_name["add_zero_nat"]
    assert (solved.outcome, solved.proved, solved.strategy) == ("solved", True, "simp")
    assert (solved.retrieved, solved.used, solved.named) == (2, 1, 0)
    assert (solved.candidates, solved.verdicts) == (2, 2)
    assert solved.errors == {"unclassified": 1}
    assert solved.lean_s == 0.05
    assert solved.wall_s is not None
    assert solved.wall_s > 0
    assert by_name["hard"].outcome == "not_proved"
    assert not by_name["real_sum"].counted
    assert by_name["dropped"].outcome == "cancelled"


def test_an_open_problem_is_no_sample(tmp_path: Path) -> None:
    (run,) = read_runs([trace_of(tmp_path / "t.jsonl", sample_run(finished=False))])
    (left,) = [p for p in run.problems if p.name == "dropped"]
    assert (left.outcome, left.counted, left.wall_s) == ("open", False, None)


def test_the_same_run_twice_counts_once(tmp_path: Path) -> None:
    path = trace_of(tmp_path / "t.jsonl", sample_run())
    assert len(read_runs([path, path])) == 1


def test_what_is_no_trace_or_has_no_beginning_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match="line 1"):
        read_runs([tmp_path / "x.jsonl"])
    headless = [e for e in sample_run() if e.name != "run_started"]
    with pytest.raises(ConfigError, match="no run_started"):
        read_runs([trace_of(tmp_path / "h.jsonl", headless)])
