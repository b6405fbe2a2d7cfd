import dataclasses
import os

import numpy as np
import pytest

from ragsolver_rag.embed import EncoderConfig, SentenceEncoder, forbid_hub
from ragsolver_rag.settings import RetrieverSettings
from suites.library import WordModel

CONFIG = EncoderConfig.of(RetrieverSettings())


class Recording(WordModel):
    def __init__(self):
        self.texts = []

    def encode(self, texts, **options):
        self.texts.append(texts)
        return super().encode(texts, **options)


@pytest.fixture
def model():
    return Recording()


@pytest.fixture
def encoder(model):
    return SentenceEncoder(CONFIG, lambda _: model)


def test_vectors_have_unit_length(encoder):
    vectors = encoder.embed(["a b", "c"])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0, 1.0])


def test_a_query_is_embedded_once_and_after_its_prompt(model):
    config = dataclasses.replace(CONFIG, query_prompt="query: ")
    encoder = SentenceEncoder(config, lambda _: model)
    first = encoder.embed_query("nat")
    assert encoder.embed_query("nat") is first
    assert model.texts == [["query: nat"]]


def test_the_queries_of_a_request_are_embedded_together_and_only_the_new_ones(model, encoder):
    first = encoder.embed_query("nat")
    found = encoder.embed_queries(["add comm", "nat", "add comm"])
    assert model.texts == [["nat"], ["add comm"]]
    assert found[1] is first
    assert found[0] is found[2]
    assert found[0].base is None


def test_what_was_asked_last_is_remembered_longest(monkeypatch, model, encoder):
    monkeypatch.setattr("ragsolver_rag.embed._CACHED_QUERIES", 2)
    for text in ("a", "b", "a", "c", "a", "b"):
        encoder.embed_query(text)
    assert model.texts == [["a"], ["b"], ["c"], ["b"]]


def test_nothing_is_loaded_before_the_first_text():
    def load(config):
        raise AssertionError

    SentenceEncoder(CONFIG, load)


def test_what_changes_vectors_changes_the_pin():
    pins = {
        CONFIG.pin,
        dataclasses.replace(CONFIG, precision="float32").pin,
        dataclasses.replace(CONFIG, max_tokens=32).pin,
        dataclasses.replace(CONFIG, name="other/model").pin,
    }
    assert len(pins) == 4
    assert "==" in CONFIG.pin
    assert dataclasses.replace(CONFIG, offline=False).pin == CONFIG.pin


def test_no_hub_is_asked_unless_allowed(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    forbid_hub(offline=False)
    assert "HF_HUB_OFFLINE" not in os.environ
    forbid_hub(offline=True)
    assert os.environ["HF_HUB_OFFLINE"] == "1"
