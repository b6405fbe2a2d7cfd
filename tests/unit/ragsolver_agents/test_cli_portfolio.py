import json

import pytest
from click.testing import CliRunner

from ragsolver_agents.cli_portfolio import portfolio
from ragsolver_agents.formalizer.portfolio.families import FAMILIES
from ragsolver_runtime.config import load_run_config
from suites.traces import GOLDEN, trace_file


def run(*arguments):
    return CliRunner().invoke(portfolio, [str(item) for item in arguments])


@pytest.fixture
def trace(tmp_path):
    return trace_file(tmp_path / "run.jsonl", GOLDEN / "solved_by_residues.jsonl")


def test_families_are_listed_with_what_they_try():
    rows = json.loads(run("families", "--json").output)
    assert [row["family"] for row in rows] == list(FAMILIES)
    assert all(row["what"] for row in rows)
    assert "residues" in run("families").output


def test_a_report_says_what_each_family_proved(trace):
    said = json.loads(run("report", trace, "--json").output)
    assert said["families"]["residues"]["accepted"] == 1
    assert "residues" in run("report", trace).output


def test_what_is_learned_is_the_same_twice_and_can_be_included(trace, tmp_path):
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    for target in (first, second):
        assert run("learn", trace, "-o", target).exit_code == 0
    assert first.read_text() == second.read_text()
    mine = tmp_path / "mine.toml"
    mine.write_text('include = ["first.toml"]\n')
    config = load_run_config(str(mine))
    assert config.portfolio.order == "learned"
    assert any(item.strategy.startswith("residues") for item in config.portfolio.experience)


def test_a_file_that_is_no_trace_is_refused_with_its_line(tmp_path):
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("{}\n")
    done = run("learn", wrong, "-o", tmp_path / "x.toml")
    assert done.exit_code != 0
    assert "wrong.jsonl:1" in done.output


def test_a_trace_without_candidates_teaches_nothing(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    done = run("learn", empty, "-o", tmp_path / "x.toml")
    assert done.exit_code == 2
    assert "no judged candidate" in done.output
