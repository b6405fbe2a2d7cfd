"""The evaluation of four small traces, as it was when somebody last looked at it."""

import json
from pathlib import Path

import pytest

from ragsolver_runtime.evaluate.files import write_files
from ragsolver_runtime.evaluate.outcomes import read_runs
from ragsolver_runtime.evaluate.summary import summarize
from suites.evaluated import evaluated

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "evaluation"
"""Written by `python tests/golden/update_evaluation.py`."""


@pytest.mark.parametrize("name", ["configurations.csv", "errors.csv", "evaluation.md"])
def test_the_report_is_as_recorded(name: str, tmp_path: Path) -> None:
    write_files(summarize(read_runs(evaluated(tmp_path))), tmp_path / "out")
    assert (tmp_path / "out" / name).read_text() == (GOLDEN / name).read_text()


def test_the_notebook_reads_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(summarize(read_runs(evaluated(tmp_path))), tmp_path / "out")
    monkeypatch.setenv("RAGSOLVER_EVALUATION", str(tmp_path / "out"))
    cells = json.loads((ROOT / "docs" / "evaluation.ipynb").read_text())["cells"]
    script = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    exec(compile(script, "evaluation.ipynb", "exec"), {})  # noqa: S102 - our own notebook
    said = capsys.readouterr().out
    assert "excluded: ['copied']" in said
    assert "of 4 problems, infrastructure 1" in said
    assert "lemma {'full': 0.5, 'no_rag': 0.0}" in said
    assert "only with retrieval: ['lemma']" in said
