from ragsolver_rag.evaluate.ablation import FULL, ablated
from ragsolver_rag.features import FEATURES
from ragsolver_rag.tuning import Tuning, load_tuning


def test_everything_but_one_ingredient_stays():
    whole = load_tuning()
    found = ablated(whole, dense=True)
    assert list(found)[-1] == FULL
    assert found[FULL].tuning == whole
    assert all(asked != found[FULL] for name, asked in found.items() if name != FULL)
    assert not found["encoder"].dense
    assert found["field doc"].tuning.rescoring.hidden == ("doc",)
    assert found["full text, as a channel"].tuning.pool.lexical == 0
    popular = found["popularity"].tuning.rescoring.weights
    assert set(whole.rescoring.weights) - set(popular) == {"popularity"}


def test_what_is_not_there_is_not_left_out():
    found = ablated(Tuning(), dense=False)
    assert "encoder" not in found
    assert "popularity" not in found


def test_every_learned_weight_belongs_to_an_ingredient():
    whole = load_tuning()
    weights = dict.fromkeys(FEATURES, 1.0)
    rescoring = whole.rescoring.model_copy(update={"weights": weights})
    found = ablated(whole.model_copy(update={"rescoring": rescoring}), dense=True)
    left = {
        name
        for name in FEATURES
        if all(name in asked.tuning.rescoring.weights for asked in found.values())
    }
    always = {"bm25", "evidence", "cosine", "cosine_best", "sentence_cosine", "has_doc",
              "has_note", "lexical_rank", "dense_rank", "cover"}  # fmt: skip
    assert left <= always | {name for name in FEATURES if name.startswith("cover_")}
