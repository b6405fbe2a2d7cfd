"""A cross-encoder of sentence-transformers that is made here, with random weights, and loaded."""

from pathlib import Path

import numpy as np
import pytest

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest, VersionsPin
from ragsolver_rag.embed import ModelError
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.rerank import CrossEncoderReranker
from ragsolver_rag.search import Parts, Search
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import load_tuning
from suites import library

pytestmark = [pytest.mark.connected, pytest.mark.timeout(120)]

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz", "nat", "add"]


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    torch = pytest.importorskip("torch")
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, num_labels=1,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_a_model_is_loaded_by_its_folder_and_orders_what_is_asked(model):
    reranker = CrossEncoderReranker(str(model))
    texts = ["nat add", "add", "z z z"]
    scores = reranker.scores("nat", texts)
    assert len(scores) == 3
    assert np.isfinite(scores).all()
    assert scores == pytest.approx(reranker.scores("nat", texts))
    rows = library.rows()
    search = Search(
        Parts(MemoryIndex(rows, np.zeros((0, 0), np.float32)), None, reranker),
        settings=RetrieverSettings(),
        tuning=load_tuning(),
        versions=VersionsPin(),
    )
    asked = RetrievalRequest(
        queries=("addition is commutative",),
        k=5,
        rerank=True,
        context=RetrievalContext(problem_id="p"),
    )
    found = search.search(asked)
    judged = [hit.citation.scores.rerank for hit in found.hits]
    assert judged == sorted(judged, reverse=True)
    assert found.trace.versions.reranker_model == str(model)


def test_a_model_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ModelError, match="reranker"):
        CrossEncoderReranker(str(tmp_path / "none")).scores("a", ["b"])
