import pytest

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest, RetrievalResult
from ragsolver_rag.index_folder import IndexMissingError
from ragsolver_rag.service import LazySearch, open_search
from ragsolver_rag.settings import RetrieverSettings

REQUEST = RetrievalRequest(queries=("q",), context=RetrievalContext(problem_id="p"))


class FixedSearch:
    def __init__(self):
        self.warmed = 0

    def search(self, request, cited):
        return RetrievalResult()

    def warm(self):
        self.warmed += 1


def test_it_is_opened_once_and_not_before_it_is_needed():
    opened = []

    def open_it():
        opened.append(FixedSearch())
        return opened[-1]

    lazy = LazySearch(open_it)
    assert opened == []
    assert lazy.search(REQUEST, {}) == RetrievalResult()
    lazy.warm()
    assert [search.warmed for search in opened] == [1]


def test_a_failure_to_open_is_raised_and_tried_again():
    answers = [IndexMissingError("not yet"), FixedSearch()]

    def open_it():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    lazy = LazySearch(open_it)
    with pytest.raises(IndexMissingError, match="not yet"):
        lazy.search(REQUEST, {})
    assert lazy.search(REQUEST, {}) == RetrievalResult()


def test_without_index_nothing_opens(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    with pytest.raises(IndexMissingError, match="ragsolver index build"):
        open_search(RetrieverSettings())
