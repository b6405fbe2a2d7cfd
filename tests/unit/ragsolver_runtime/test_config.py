from dataclasses import dataclass

import pytest

from ragsolver_contracts.base import Model
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.config import (
    environment,
    load_run_config,
    load_worker_settings,
    merge,
    parse_flags,
    parse_value,
    run_config_path,
    settings_as,
)
from ragsolver_runtime.errors import ConfigError


@pytest.fixture
def run_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("seed = 1\n[budget]\nllm_calls = 5\nattempts = 7\n")
    return file


def test_a_file_gives_the_run_configuration_and_its_name(run_file):
    config = load_run_config(str(run_file))
    assert (config.name, config.seed, config.budget.llm_calls) == ("mine", 1, 5)


def test_the_environment_outranks_the_file_and_flags_outrank_both(run_file):
    env = {"RAGSOLVER_RUN__BUDGET__LLM_CALLS": "6", "RAGSOLVER_RUN__SEED": "2", "HOME": "x"}
    config = load_run_config(str(run_file), env=env, flags=["budget.llm_calls=8"])
    assert (config.budget.llm_calls, config.seed, config.budget.attempts) == (8, 2, 7)


@pytest.mark.parametrize(
    ("text", "env", "flags", "words"),
    [
        ("[budget]\nllm_call = 5", {}, [], ["mine.toml", "budget.llm_call"]),
        ("seed = 'x'", {}, [], ["mine.toml", "seed"]),
        ("", {"RAGSOLVER_RUN__SED": "1"}, [], ["RAGSOLVER_RUN__", "sed"]),
        ("", {}, ["budget.calls=1"], ["--set", "budget.calls"]),
        ("", {}, ["budget"], ["--set budget", "KEY=VALUE"]),
        ("seed = ", {}, [], ["mine.toml", "not TOML"]),
    ],
)
def test_what_nobody_knows_is_named_with_its_place(run_file, text, env, flags, words):
    run_file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_run_config(str(run_file), env=env, flags=flags)
    assert all(word in str(caught.value) for word in words)


def test_what_a_file_says_outranks_what_it_includes(run_file):
    over = run_file.with_name("over.toml")
    over.write_text('include = ["mine.toml"]\n[budget]\nattempts = 9\n')
    config = load_run_config(str(over))
    assert (config.name, config.seed) == ("over", 1)
    assert (config.budget.llm_calls, config.budget.attempts) == (5, 9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('include = ["mine.toml"]', "mine.toml includes mine.toml"),
        ('include = ["gone.toml"]', "gone.toml"),
        ('include = "gone.toml"', "include is a list"),
    ],
)
def test_an_include_that_cannot_be_read_is_said(run_file, text, words):
    run_file.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_run_config(str(run_file))


def test_a_missing_configuration_is_said():
    with pytest.raises(ConfigError, match=r"no run configuration at nowhere\.toml"):
        load_run_config("nowhere.toml")
    with pytest.raises(ConfigError, match="shipped ones are"):
        run_config_path("no_such_name")


def test_worker_tables_come_by_role_with_environment_and_flags(tmp_path):
    file = tmp_path / "workers.toml"
    file.write_text("[verifier]\nsessions = 1\nmemory = 2\n[bus]\nreplicas = 3\n")
    tables = load_worker_settings(
        file,
        ["verifier", "critic"],
        env={"RAGSOLVER_VERIFIER__SESSIONS": "4", "RAGSOLVER_RUN__SEED": "1"},
        flags=["critic.level=high"],
    )
    assert tables == {
        "verifier": {"sessions": 4, "memory": 2},
        "bus": {"replicas": 3},
        "critic": {"level": "high"},
    }


@pytest.mark.parametrize(
    ("text", "env", "flags", "words"),
    [
        ("[verifer]\n", {}, [], "verifer"),
        ("verifier = 1\n", {}, [], "not a value"),
        ("", {"RAGSOLVER_VERIFER__X": "1"}, [], "the environment.*verifer"),
        ("", {}, ["verifer.x=1"], "--set.*verifer"),
    ],
)
def test_an_unknown_table_is_named(tmp_path, text, env, flags, words):
    file = tmp_path / "workers.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_worker_settings(file, ["verifier"], env=env, flags=flags)


@dataclass(frozen=True)
class Plain:
    sessions: int = 1


class Rich(Model):
    sessions: int = 1


@pytest.mark.parametrize("kind", [Plain, Rich])
def test_a_table_becomes_a_settings_class(kind):
    assert settings_as(kind, {"sessions": 3}, "w.toml [v]").sessions == 3
    with pytest.raises(ConfigError, match=r"w\.toml \[v\].*session"):
        settings_as(kind, {"session": 3}, "w.toml [v]")
    with pytest.raises(ConfigError, match=r"w\.toml \[v\].*sessions"):
        settings_as(kind, {"sessions": "many"}, "w.toml [v]")


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("0.5", 0.5), ("true", True), ("[1, 2]", [1, 2]), ("'5'", "5"), ("a b", "a b")],
)
def test_values_are_read_as_toml_would_and_else_as_text(text, value):
    assert parse_value(text) == value


def test_variables_without_a_table_are_not_settings():
    assert environment({"RAGSOLVER_CACHE": "/x", "OTHER__A": "1"}) == {}


def test_a_value_cannot_also_be_a_table():
    with pytest.raises(ConfigError, match="is a value"):
        parse_flags(["a=1", "a.b=2"])


def test_merging_goes_key_by_key():
    below = {"a": {"x": 1, "y": 2}, "b": 1}
    assert merge(below, {"a": {"y": 3}, "b": {"z": 1}}) == {"a": {"x": 1, "y": 3}, "b": {"z": 1}}
    assert below == {"a": {"x": 1, "y": 2}, "b": 1}


def test_the_defaults_are_a_run_configuration(run_file):
    run_file.write_text("")
    assert load_run_config(str(run_file)) == RunConfig(name="mine")
