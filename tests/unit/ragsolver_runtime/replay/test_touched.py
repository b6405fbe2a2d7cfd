from ragsolver_contracts.replay import ReplayStage
from ragsolver_contracts.run_config import PortfolioStage, RunConfig
from ragsolver_runtime.replay.touched import (
    config_differences,
    first_stage,
    leaves,
    stage_of,
    version_differences,
)


def changed(**tables):
    old = RunConfig()
    new = {name: getattr(old, name).model_copy(update=values) for name, values in tables.items()}
    return list(config_differences(old, old.model_copy(update=new)))


def test_the_same_configuration_touches_nothing() -> None:
    assert list(config_differences(RunConfig(), RunConfig())) == []
    renamed = RunConfig().model_copy(update={"name": "other"})
    assert list(config_differences(RunConfig(), renamed)) == []
    assert first_stage([]) is None


def test_every_difference_names_field_stage_and_values() -> None:
    (found,) = changed(retrieval={"k": 16})
    assert (found.what, found.stage) == ("retrieval.k", ReplayStage.RETRIEVAL)
    assert (found.old, found.new) == ("8", "16")


def test_the_first_stage_is_the_earliest() -> None:
    found = changed(budget={"attempts": 3}, retrieval={"rerank": True}, engines={"critic": "llm"})
    assert len(found) == 3
    assert first_stage(found) is ReplayStage.RETRIEVAL


def test_the_longest_entry_of_the_table_counts() -> None:
    assert stage_of("retrieval.n_candidates") is ReplayStage.RETRIEVAL
    assert stage_of("retrieval.error_rounds") is ReplayStage.CRITIQUE


def test_long_values_are_cut() -> None:
    stages = tuple(PortfolioStage(name=f"stage{n}", families=("close",)) for n in range(9))
    (found,) = changed(portfolio={"stages": stages})
    assert found.stage is ReplayStage.SKETCH
    assert len(found.new) < 70


def test_only_parts_that_answer_and_are_known_on_both_sides_count() -> None:
    old = {"lean": "4.28", "index": "i1", "python": "3.11"}
    assert list(version_differences(old, {**old, "python": "3.12"})) == []
    assert list(version_differences(old, {"lean": "4.28"})) == []
    assert list(version_differences({}, old)) == []
    lean, index = version_differences(old, {"lean": "4.29", "index": "i2"})
    assert (lean.what, lean.stage) == ("version of lean", ReplayStage.STATEMENT)
    assert (index.what, index.stage) == ("version of index", ReplayStage.RETRIEVAL)


def test_a_list_is_one_value() -> None:
    assert leaves({"a": {"b": [1, {"c": 2}]}, "d": 3}) == {"a.b": [1, {"c": 2}], "d": 3}
