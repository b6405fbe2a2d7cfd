from types import SimpleNamespace
from typing import Any

import pytest

from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_runtime.evaluate import contamination
from ragsolver_runtime.evaluate.contamination import Probe, check_contamination, probes
from ragsolver_runtime.problem_files import read_jsonl


def offers(monkeypatch: pytest.MonkeyPatch, *loads: Any) -> None:
    value, dist = "ragsolver_rag.x:compare", None
    entries = [SimpleNamespace(load=load, value=value, dist=dist) for load in loads]
    monkeypatch.setattr(contamination, "entry_points", lambda group: entries)


def test_what_can_be_compared_of_a_file() -> None:
    lines = [
        b'{"name": "a", "formal_statement": "theorem a : True", "informal_statement": "Truth."}',
        b'{"name": "b", "informal_statement": 3}',
        b"not json",
    ]
    assert probes(read_jsonl(lines, "f")) == [Probe("a", "theorem a : True", "Truth.")]


def test_the_installed_package_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(problems: Any, threshold: float, settings: Any) -> ContaminationCheck:
        return ContaminationCheck(problems=len(problems), threshold=threshold, encoder=settings)

    offers(monkeypatch, lambda: compare)
    found = check_contamination([Probe("a", "x")], "table", 0.8)  # type: ignore[arg-type]
    assert (found.problems, found.threshold, found.encoder) == (1, 0.8, "table")


def test_without_a_package_the_result_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    offers(monkeypatch)
    assert "no installed package" in check_contamination([], {}).skipped

    def lacks() -> None:
        raise ModuleNotFoundError("No module named 'lancedb'", name="lancedb")

    offers(monkeypatch, lacks)
    assert "pip install 'ragsolver[rag]'" in check_contamination([], {}).skipped


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ModuleNotFoundError("No module named 'ragsolver_rag.y'", name="ragsolver_rag.y")

    offers(monkeypatch, broken)
    with pytest.raises(ModuleNotFoundError):
        check_contamination([], {})
