import pytest

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.settings import (
    DEFAULT_URL,
    ModelSettings,
    installed_settings,
    key_variable,
    model_settings,
    server_url,
)


def test_the_shipped_table_is_the_default_one():
    assert installed_settings({}) == ModelSettings()


def test_the_environment_outranks_the_shipped_table():
    env = {"RAGSOLVER_MODEL__CONCURRENCY": "3", "RAGSOLVER_MODEL__PROVIDER": "echo"}
    found = installed_settings(env)
    assert (found.concurrency, found.provider) == (3, "echo")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"provider": "openai"}, "provider"),
        ({"concurrency": 0}, "concurrency"),
        ({"stall_s": 0}, "stall_s"),
        ({"api_key": "x"}, "api_key"),
        ({"base_url": "localhost:80"}, "http://HOST:PORT"),
        ({"base_url": "http://me:secret@host"}, "ANTHROPIC_API_KEY"),
        ({"base_url": "http://host/?key=secret"}, "ANTHROPIC_API_KEY"),
    ],
)
def test_a_wrong_value_is_named(values, said):
    with pytest.raises(ConfigError, match=r"workers\.toml \[model\]") as caught:
        model_settings(values, "workers.toml")
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


def test_an_address_may_be_written_as_people_write_it():
    written = (
        "http://host:8000",
        "http://host:8000/",
        "http://host:8000/v1",
        "http://host:8000/v1/",
    )
    assert {ModelSettings(base_url=url).base_url for url in written} == {"http://host:8000"}


def test_the_address_comes_from_the_settings_then_the_environment():
    env = {"ANTHROPIC_BASE_URL": "http://gateway/"}
    assert server_url(ModelSettings(base_url="http://own"), env) == "http://own"
    assert server_url(ModelSettings(), env) == "http://gateway"
    assert server_url(ModelSettings(), {}) == DEFAULT_URL


def test_the_key_is_the_first_variable_that_says_something():
    assert key_variable({}) is None
    assert key_variable({"ANTHROPIC_API_KEY": "  "}) is None
    both = {"ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_API_KEY": "k"}
    assert key_variable(both) == "ANTHROPIC_API_KEY"
    assert key_variable({"ANTHROPIC_AUTH_TOKEN": "t"}) == "ANTHROPIC_AUTH_TOKEN"
