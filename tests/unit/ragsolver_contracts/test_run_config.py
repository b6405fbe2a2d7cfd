import pytest
from pydantic import ValidationError

from ragsolver_contracts.run_config import RunConfig


def test_default_budget_is_twenty_calls() -> None:
    assert RunConfig().budget.llm_calls == 20


def test_unknown_setting_is_an_error() -> None:
    with pytest.raises(ValidationError, match="rerankk"):
        RunConfig.model_validate({"retrieval": {"rerankk": True}})
