import numpy as np
import pytest

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag import contamination
from ragsolver_rag.contamination import compare, contaminated
from ragsolver_rag.index import DeclarationRow, Scored
from ragsolver_rag.index_folder import IndexMissingError
from ragsolver_runtime.evaluate.contamination import Probe


def row(name: str, type_: str) -> DeclarationRow:
    return DeclarationRow(
        chunk_id=f"d:{name}:0", doc_id="d", order=0, decl_name=name, kind="theorem",
        module_path="M", signature=type_, type=type_,
    )  # fmt: skip


COMM = row("Nat.add_comm", "∀ (n m : Nat), n + m = m + n")


class OneRow:
    """An index of one declaration, found by everything, with one similarity."""

    def __init__(self, similarity: float) -> None:
        self.similarity = similarity

    def exact(self, query: object, limit: int, filters: RetrievalFilters) -> list[Scored]:
        return [Scored(COMM, self.similarity)]

    def sparse(self, terms: object, limit: int, filters: RetrievalFilters) -> list[Scored]:
        return [Scored(COMM, 1.0)]

    def named(self, names: list[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        return [COMM] if names == ["Nat.add_comm"] else []


class Blind:
    def embed_queries(self, texts: list[str]) -> list[np.ndarray]:
        return [np.zeros(1, np.float32) for _ in texts]


def found(problem: Probe, similarity: float = 0.5) -> list[tuple[str, str]]:
    hits = contaminated([problem], 0.9, "core", OneRow(similarity), Blind())
    return [(hit.why, hit.document) for hit in hits]


def test_the_same_statement_with_other_names_is_found() -> None:
    stated = "theorem t (a b : Nat) : b + a = a + b := by sorry"
    assert found(Probe("t", stated)) == [("statement", "Nat.add_comm")]
    other = "theorem t (a b : Nat) : a + b + 1 = b + a + 1 := by sorry"
    assert found(Probe("t", other)) == []


def test_a_paraphrase_is_found_above_the_threshold_only() -> None:
    words = Probe("t", "", "The order of a sum does not matter.")
    assert found(words, 0.91) == [("similar", "Nat.add_comm")]
    assert found(words, 0.9) == []


def test_its_own_solution_is_found_by_its_name() -> None:
    assert found(Probe("Nat.add_comm", "", "words")) == [("name", "Nat.add_comm")]


def test_without_an_index_nothing_is_compared_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_: object) -> None:
        raise IndexMissingError("no index: run `ragsolver index build`")

    monkeypatch.setattr(contamination, "find_index", missing)
    said = compare([Probe("t", "x")], 0.9, {})
    assert "ragsolver index build" in said.skipped
    assert said.corpora == ()
