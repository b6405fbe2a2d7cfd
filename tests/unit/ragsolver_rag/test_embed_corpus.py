import numpy as np
import pytest

from ragsolver_rag import embed_corpus as under_test
from ragsolver_rag.embed import EncoderConfig, SentenceEncoder
from ragsolver_rag.embed_corpus import embed_chunk, embed_corpus
from ragsolver_rag.settings import RetrieverSettings
from suites import library

CONFIG = EncoderConfig.of(RetrieverSettings())
TEXTS = [f"{'word ' * (i % 7)}number{i}" for i in range(20)]


class Counting(library.WordModel):
    seen = 0

    def encode(self, texts, **options):
        Counting.seen += len(texts)
        return super().encode(texts, **options)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(under_test, "CHUNK", 6)
    Counting.seen = 0
    model = Counting()
    monkeypatch.setattr(
        under_test, "SentenceEncoder", lambda config: SentenceEncoder(config, lambda _: model)
    )


def run(folder, texts=TEXTS, on_done=lambda _: None):
    return embed_corpus(texts, folder, CONFIG, processes=1, on_done=on_done)


def test_vectors_are_in_the_order_of_the_texts(tmp_path):
    done = []
    vectors = run(tmp_path, on_done=done.append)
    assert vectors.dtype == np.float16
    assert np.allclose(vectors, library.embed(TEXTS), atol=1e-2)
    assert done == [0, 6, 12, 18, 20]


def test_finished_chunks_are_not_embedded_again(tmp_path):
    whole = run(tmp_path)
    assert Counting.seen == 20
    files = sorted(tmp_path.iterdir())
    files[1].unlink()
    files[2].write_bytes(b"torn")
    again = run(tmp_path)
    assert Counting.seen == 32
    assert np.array_equal(whole, again)


def test_a_chunk_appears_whole_or_not_at_all(tmp_path):
    def fails(texts):
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        embed_chunk(fails, ["a"], tmp_path / "chunk-00000.npy")
    assert list(tmp_path.iterdir()) == []
    embed_chunk(library.embed, ["a"], tmp_path / "chunk-00000.npy")
    assert [p.name for p in tmp_path.iterdir()] == ["chunk-00000.npy"]


def test_no_texts_no_vectors(tmp_path):
    assert run(tmp_path, []).shape == (0, 0)
