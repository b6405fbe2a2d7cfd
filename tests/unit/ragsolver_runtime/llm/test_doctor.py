from importlib.metadata import PackageNotFoundError

import pytest

from ragsolver_runtime.llm import doctor
from ragsolver_runtime.llm.doctor import model_state
from ragsolver_runtime.llm.settings import ModelSettings

KEY = {"ANTHROPIC_API_KEY": "sk-ant-something-secret"}


def test_with_a_key_it_is_well_and_the_key_is_not_shown():
    found = model_state(KEY)
    assert found.state == "ok"
    assert "ANTHROPIC_API_KEY" in found.detail
    assert "https://api.anthropic.com" in found.detail
    assert "secret" not in str(found)


def test_without_a_key_it_is_a_note_with_what_to_do():
    found = model_state({})
    assert found.state == "note"
    assert "ANTHROPIC_API_KEY" in found.fix


def test_a_server_of_ones_own_needs_no_key():
    found = model_state({}, ModelSettings(base_url="http://local:1"))
    assert found.state == "ok"
    assert "http://local:1" in found.detail


def test_a_missing_client_is_a_note(monkeypatch):
    def _missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "version", _missing)
    assert "ragsolver[llm]" in model_state(KEY).fix


@pytest.mark.parametrize("provider", ["echo", "scripted", "recorded"])
def test_a_provider_of_our_own_needs_nothing(provider):
    assert model_state({}, ModelSettings(provider=provider)).state == "ok"


def test_a_wrong_setting_is_broken():
    found = model_state({"RAGSOLVER_MODEL__CONCURRENCY": "many"})
    assert found.state == "broken"
    assert "concurrency" in found.detail
