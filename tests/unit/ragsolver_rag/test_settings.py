import pytest

from ragsolver_rag.settings import RetrieverSettings, retriever_settings
from ragsolver_runtime.errors import ConfigError


def test_an_empty_table_is_the_default():
    assert retriever_settings({}) == RetrieverSettings()


def test_what_is_left_out_can_be_taken_in():
    assert RetrieverSettings().exclusions.generated
    everything = retriever_settings({"include_generated": True}).exclusions
    assert not everything.generated
    assert everything.kinds == everything.modules == ()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"encodr": "x"}, "unknown key 'encodr'"),
        ({"max_tokens": 0}, "starts at 1"),
        ({"embed_processes": -1}, "embed_processes at 0"),
        ({"precision": "int4"}, "precision"),
    ],
)
def test_a_wrong_table_is_refused(table, said):
    with pytest.raises(ConfigError, match=said):
        retriever_settings(table)
