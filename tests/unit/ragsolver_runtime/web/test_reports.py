import json
from pathlib import Path

import pytest

from ragsolver_runtime.web.reports import ReportFolders, sections_of
from suites.traces import GOLDEN

MARKDOWN = (GOLDEN.parent / "evaluation" / "evaluation.md").read_text(encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    solving = tmp_path / "reports" / "one"
    (solving / "plots").mkdir(parents=True)
    values = {
        "configurations": [
            {"name": "full", "pass_at": {"1": 0.5}, "wilson": [0.2, 0.8]},
            {"name": "none", "pass_at": {}, "wilson": None},
        ]
    }
    (solving / "evaluation.json").write_text(json.dumps(values))
    (solving / "evaluation.md").write_text(MARKDOWN, encoding="utf-8")
    for name in ("a.svg", "a.png", "b.png", "c.txt"):
        (solving / "plots" / name).write_bytes(name.encode())
    search = tmp_path / "reports" / "deep" / "two"
    search.mkdir(parents=True)
    measures = {"ndcg@10": {"mean": 0.4, "low": 0.3, "high": 0.5}}
    found = {"benchmark": "mathlibqr", "variants": [{"variant": "full", "measures": measures}]}
    (search / "report.json").write_text(json.dumps(found))
    table = "| variant | ndcg |\n|---|---|\n| full | 0.4 |\n"
    (search / "report.md").write_text(f"# MathlibQR\n\n{table}")
    return tmp_path / "reports"


def test_reports_are_found_below_the_folder(root: Path) -> None:
    second, first = ReportFolders([root]).listed()
    assert (first.kind, first.name, second.kind, second.name) == (
        "retrieval", "reports/deep/two", "solving", "reports/one",
    )  # fmt: skip
    assert second.pictures == ("plots/a.svg", "plots/b.png")


def test_intervals_and_tables(root: Path) -> None:
    folders = ReportFolders([root])
    solving, search = (folders.report(line.report) for line in folders.listed())
    assert search is not None
    assert solving is not None
    assert [(one.name, one.value, one.low) for one in solving.intervals] == [("full", 0.5, 0.2)]
    assert (search.measure, search.intervals[0].high) == ("ndcg@10, 95 %", 0.5)
    titles = [section.title for section in solving.sections]
    assert {"Proofs", "Retrieval", "Cost and time"} <= set(titles)


def test_only_listed_plots_are_given(root: Path) -> None:
    (root / "secret.txt").write_text("s")
    folders = ReportFolders([root])
    line = folders.listed()[0]
    assert folders.picture(line.report, "plots/a.svg") == (b"a.svg", "image/svg+xml")
    for name in ("plots/c.txt", "../../secret.txt", "plots/a.png", "evaluation.json", ""):
        assert folders.picture(line.report, name) is None
    assert folders.picture("0" * 16, "plots/a.svg") is None


def test_a_report_that_cannot_be_read_is_none(root: Path) -> None:
    (root / "one" / "evaluation.json").write_text("{")
    folders = ReportFolders([root])
    assert folders.report(folders.listed()[0].report) is None
    assert ReportFolders([root / "none"]).listed() == ()


def test_the_markdown_of_an_evaluation_in_sections() -> None:
    sections = {section.title: section for section in sections_of(MARKDOWN)}
    (table,) = sections["Proofs"].blocks
    assert table.kind == "table"
    assert table.head[0] == "configuration"
    assert all(len(row) == len(table.head) for row in table.rows)
    assert table.rows


def test_lists_and_lines() -> None:
    (section,) = sections_of("# A\n\none\ntwo\n- x\n- y\n\n| a |\n|---|\n")
    assert [(b.kind, b.lines) for b in section.blocks] == [
        ("text", ("one", "two")), ("list", ("x", "y")), ("table", ()),
    ]  # fmt: skip
