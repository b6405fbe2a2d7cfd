import sys

import pytest

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.limits import NoLimits
from ragsolver_runtime.llm.opening import open_provider, open_turns
from ragsolver_runtime.llm.settings import ModelSettings
from suites.llm_requests import call_id, request


async def ask(settings, env):
    async with open_provider(settings, env) as provider:
        return await provider.ask(request(), call_id())


async def test_the_echo_and_a_script_answer(tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text('{"answer": {"text": "from the script"}}\n')
    assert (await ask(ModelSettings(provider="echo"), {})).outcome is LlmOutcome.ANSWERED
    scripted = await ask(ModelSettings(provider="scripted", script=str(file)), {})
    assert "from the script" in scripted.text


@pytest.mark.parametrize(("provider", "key"), [("scripted", "script"), ("recorded", "trace")])
async def test_a_provider_without_its_file_says_which_setting_is_missing(provider, key):
    with pytest.raises(ConfigError, match=rf"model\.{key}=FILE"):
        await ask(ModelSettings(provider=provider), {})


async def test_without_a_key_nobody_is_asked():
    reply = await ask(ModelSettings(), {"ANTHROPIC_API_KEY": ""})
    assert reply.outcome is LlmOutcome.UNAUTHORIZED
    assert "ANTHROPIC_API_KEY" in reply.error


async def test_without_the_extra_the_command_that_installs_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "ragsolver_runtime.llm.anthropic_model", None)
    reply = await ask(ModelSettings(), {"ANTHROPIC_API_KEY": "a key"})
    assert reply.outcome is LlmOutcome.REJECTED
    assert "pip install 'ragsolver[llm]'" in reply.error


def test_without_a_bus_there_are_no_limits():
    assert isinstance(open_turns(None, ModelSettings()), NoLimits)
