import pytest

from ragsolver_contracts.llm import Usage
from ragsolver_runtime.llm.model import Model, no_model
from ragsolver_runtime.llm.port import NoModelError
from suites.asking_world import Server, reply


async def test_a_process_without_a_model_says_what_to_do():
    with pytest.raises(NoModelError, match="--config full"):
        await no_model()


async def test_without_limits_turns_come_at_once_and_without_prices_no_cost_is_known():
    model = Model(Server())
    async with model.turns.turn() as turn:
        await turn.settle(reply())
    assert not model.prices.cost("m", Usage(input_tokens=9)).known
