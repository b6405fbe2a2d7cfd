import json
import shutil

import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.calling import open_caller, secrets_of
from ragsolver_runtime.llm.port import Answer, NoModelError
from ragsolver_runtime.paths import resource_dir
from ragsolver_runtime.recorded import nothing_recorded
from suites.asking_world import Server, World, question


async def ask(table, env):
    world = World()
    ledger = world.caller(Server()).ledger
    async with open_caller(ledger, nothing_recorded, table, env, None) as caller:
        return world, await caller.ask(world.case, world.trigger, question())


async def test_the_settings_say_who_answers():
    world, told = await ask({"provider": "echo"}, {})
    assert isinstance(told, Answer)
    assert world.outcomes == ["answered"]


@pytest.mark.parametrize(("prices", "paid"), [("", False), ("prices.toml", True)])
async def test_a_script_costs_nothing_unless_prices_are_named(tmp_path, prices, paid):
    script = tmp_path / "script.jsonl"
    line = {"problem": "*", "agent": "planner", "purpose": "plan", "turn": 1}
    line |= {"answer": {"word": "yes"}, "usage": {"input_tokens": 1000, "output_tokens": 10}}
    script.write_text(json.dumps(line) + "\n", encoding="utf-8")
    table = {"provider": "scripted", "script": str(script)}
    if prices:
        shutil.copy(resource_dir("configs") / "models.toml", tmp_path / prices)
        table["prices"] = str(tmp_path / prices)
    world, _ = await ask(table, {})
    assert [call.input_tokens for call in world.calls] == [1000]
    assert [call.cost_usd > 0 for call in world.calls] == [paid]


async def test_without_a_key_nothing_is_asked_or_taken_and_the_way_out_is_told():
    with pytest.raises(NoModelError, match=r"ANTHROPIC_API_KEY.*--config full"):
        await ask({}, {})


async def test_a_process_that_is_never_asked_needs_neither_key_nor_file():
    ledger = World().caller(Server()).ledger
    table = {"provider": "scripted", "script": "nowhere.jsonl"}
    async with open_caller(ledger, nothing_recorded, table, {}, None):
        pass
    async with open_caller(ledger, nothing_recorded, {}, {}, None):
        pass


async def test_a_script_that_is_missing_is_no_model():
    with pytest.raises(NoModelError, match=r"nowhere\.jsonl"):
        await ask({"provider": "scripted", "script": "nowhere.jsonl"}, {})


async def test_a_bad_table_is_said_at_once():
    ledger = World().caller(Server()).ledger
    with pytest.raises(ConfigError, match="provdier"):
        async with open_caller(ledger, nothing_recorded, {"provdier": "echo"}, {}, None):
            pass


def test_the_keys_are_secrets():
    env = {"ANTHROPIC_API_KEY": " sk-1 ", "ANTHROPIC_AUTH_TOKEN": "", "HOME": "h"}
    assert secrets_of(env) == ("sk-1",)
