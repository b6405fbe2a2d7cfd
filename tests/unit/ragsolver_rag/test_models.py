import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragsolver_rag.embed import EncoderConfig, SentenceEncoder
from ragsolver_rag.models import BatchedReranker, Models, SharedModels
from ragsolver_rag.rerank import CrossEncoderReranker
from ragsolver_rag.settings import RetrieverSettings
from suites.library import WordModel, embed

SETTINGS = RetrieverSettings(batch_wait_ms=0.0)


class Recording(WordModel):
    """Refuses the text `bad`; the first call waits for `go`."""

    def __init__(self):
        self.calls = []
        self.entered, self.go = threading.Event(), threading.Event()

    def encode(self, texts, **options):
        self.calls.append(texts)
        self.entered.set()
        assert self.go.wait(10)
        if "bad" in texts:
            raise RuntimeError("bad text")
        return super().encode(texts, **options)


@pytest.fixture
def model():
    return Recording()


@pytest.fixture
def sentences(model):
    return SentenceEncoder(EncoderConfig.of(SETTINGS), lambda _: model)


def test_queries_of_several_callers_are_embedded_together(model, sentences):
    with SharedModels(SETTINGS, sentences) as models, ThreadPoolExecutor(4) as threads:
        first = threads.submit(models.encoder.embed_queries, ["first"])
        assert model.entered.wait(10)
        texts = (["a", "b"], ["bad"], ["c", "a"])
        others = [threads.submit(models.encoder.embed_queries, t) for t in texts]
        while len(models._texts._jobs) < 3:
            threading.Event().wait(0.005)
        model.go.set()
        assert (first.result(10)[0] == embed(["first"])[0]).all()
        assert len(others[0].result(10)) == len(others[2].result(10)) == 2
        with pytest.raises(RuntimeError, match="bad text"):
            others[1].result(10)
    assert model.calls[0] == ["first"]
    assert sorted(model.calls[1]) == ["a", "b", "bad", "c"]


def test_what_is_remembered_waits_for_nobody(model, sentences):
    model.go.set()
    with SharedModels(SETTINGS, sentences) as models:
        once = models.encoder.embed_queries(["a"])[0]
    assert models.encoder.embed_queries(["a"])[0] is once
    assert model.calls == [["a"]]


class Lengths:
    """Judges a pair by the length of its text."""

    def __init__(self):
        self.calls = []

    def predict(self, pairs):
        self.calls.append(pairs)
        return [len(text) for _, text in pairs]


def test_pairs_are_judged_through_the_batcher_and_keep_their_order():
    judge = Lengths()
    reranker = CrossEncoderReranker("judge", load=lambda _: judge)
    with SharedModels(SETTINGS, None, reranker) as models:
        assert isinstance(models.reranker, BatchedReranker)
        assert models.reranker.name == "judge"
        assert models.reranker.scores("q", ["aaa", "b"]) == [3.0, 1.0]
        assert models.reranker.scores("q", []) == []
    assert judge.calls == [[("q", "aaa"), ("q", "b")]]


def test_without_a_name_there_is_no_reranker():
    assert Models(SETTINGS).reranker is None
    named = dataclasses.replace(SETTINGS, reranker="some/model")
    reranker = Models(named).reranker
    assert reranker is not None
    assert reranker.name == "some/model"
    with SharedModels(SETTINGS) as models:
        assert models.reranker is None
