import pytest
from pydantic import ValidationError

from ragsolver_contracts.run_config import RunConfig


def test_default_budget_is_twenty_calls() -> None:
    assert RunConfig().budget.llm_calls == 20


def test_unknown_setting_is_an_error() -> None:
    with pytest.raises(ValidationError, match="rerankk"):
        RunConfig.model_validate({"retrieval": {"rerankk": True}})


@pytest.mark.parametrize("alone", ["generator", "formalizer"])
def test_who_sketches_and_who_formalizes_have_one_engine(alone: str) -> None:
    with pytest.raises(ValidationError, match="work on one sketch"):
        RunConfig.model_validate({"engines": {alone: "llm"}})
    both = RunConfig.model_validate({"engines": {"generator": "llm", "formalizer": "llm"}})
    assert both.engines.critic == "portfolio"
