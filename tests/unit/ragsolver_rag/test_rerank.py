from ragsolver_rag.rerank import CrossEncoderReranker


class LengthModel:
    def predict(self, pairs):
        return [len(text) - len(query) for query, text in pairs]


def test_texts_are_judged_in_order():
    reranker = CrossEncoderReranker("m", load=lambda name: LengthModel())
    assert reranker.name == "m"
    assert reranker.scores("q", ["abc", "a"]) == [2.0, 0.0]


def test_nothing_is_loaded_for_nothing():
    def load(name):
        raise AssertionError

    assert CrossEncoderReranker("m", load=load).scores("q", []) == []
