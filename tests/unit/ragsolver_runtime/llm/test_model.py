import pytest

from ragsolver_contracts.llm import Usage
from ragsolver_runtime.llm.model import Free, Unlimited, no_model
from ragsolver_runtime.llm.port import NoModelError
from suites.asking_world import reply


async def test_a_process_without_a_model_says_what_to_do():
    with pytest.raises(NoModelError, match="--config full"):
        await no_model()


async def test_without_limits_turns_come_at_once_and_without_prices_calls_are_free():
    async with Unlimited().turn() as turn:
        await turn.settle(reply())
    assert Free().cost("m", Usage(input_tokens=9)).usd == 0.0
