import pytest

from ragsolver_rag.features import FEATURES
from ragsolver_rag.tuning import Tuning, load_tuning
from ragsolver_runtime.errors import ConfigError


def test_the_shipped_file_is_read():
    found = load_tuning()
    assert set(found.rescoring.weights) <= set(FEATURES)
    assert found.rescoring.weights["cover"] > 0
    assert found.text.repeats["name"] == 2


def test_weights_hold_for_the_corpora_they_are_for():
    tuning = load_tuning()
    assert tuning.for_corpus("lean source text").rescoring.enabled
    assert not tuning.for_corpus("lean exporter").rescoring.enabled
    assert Tuning().for_corpus("anything").rescoring.enabled


def test_an_empty_file_is_the_default(tmp_path):
    (tmp_path / "t.yaml").write_text("")
    assert load_tuning(str(tmp_path / "t.yaml")) == Tuning()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rescoring: {weights: {zebra: 1}}", "unknown feature 'zebra'"),
        ("text: {repeats: {zebra: 1}}", "unknown field 'zebra'"),
        ("pool: {lexical: -1}", r"pool\.lexical"),
        ("unheard: 1", "unheard"),
        ("a: [", "no YAML"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path, text, said):
    path = tmp_path / "t.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        load_tuning(str(path))


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_tuning(str(tmp_path / "no.yaml"))
