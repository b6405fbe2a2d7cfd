"""The `[model]` table of the worker settings: who answers, and how often it may be asked.

Where a model is served is a setting of the worker's machine and never part of a run: whoever
may post a run on the bus could otherwise send the key elsewhere.
"""

from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from ragsolver_contracts.base import Model
from ragsolver_runtime.config import environment, merge, read_toml, settings_as
from ragsolver_runtime.paths import resource_dir

ProviderName = Literal["anthropic", "scripted", "recorded", "echo"]
KEY_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
"""Environment variables that hold the key; the first one that is set counts."""
URL_VARIABLE = "ANTHROPIC_BASE_URL"
DEFAULT_URL = "https://api.anthropic.com"
TABLE = "model"


class ModelSettings(Model):
    """One table `[model]`, the same for every worker of a bus; times in seconds."""

    provider: ProviderName = "anthropic"
    """`anthropic`: any server of the Messages API. `scripted`: a file of answers. `recorded`: the
    answers of a trace. `echo`: the smallest valid answer to everything, for load tests."""
    base_url: str = ""
    """Of the server, without `/v1`; empty: ANTHROPIC_BASE_URL, else the vendor's own."""
    structured: Literal["schema", "tool"] = "schema"
    """How a JSON answer is asked for: as an output format, or as a forced tool call for servers
    without output formats."""
    script: str = ""
    """`scripted`: file of answers, JSON lines."""
    trace: str = ""
    """`recorded`: trace file, as `trace export` writes it."""
    echo_delay_s: float = Field(default=0.0, ge=0)
    """`echo`: how long each answer takes."""
    concurrency: int = Field(default=8, ge=1, le=1024)
    """Requests in flight at once, over all workers of the bus."""
    requests_per_minute: int = Field(default=0, ge=0)
    """Over all workers of the bus; 0: no limit."""
    tokens_per_minute: int = Field(default=0, ge=0)
    """Input and output over all workers of the bus, cache reads apart; 0: no limit."""
    connect_s: float = Field(default=10.0, gt=0)
    stall_s: float = Field(default=60.0, gt=0)
    """Silence on an open connection after which a try is given up."""
    total_s: float = Field(default=300.0, gt=0)
    """One try as a whole."""
    tries: int = Field(default=4, ge=1)
    """Of one request, where the failure may pass; each is a call of the budget."""
    first_delay_s: float = Field(default=1.0, ge=0)
    """Before the second try; doubles each time."""
    longest_delay_s: float = Field(default=60.0, ge=0)
    """Longest wait between tries, also where the server asks for more."""
    prices: str = ""
    """File of prices by model; empty: the shipped `configs/models.toml`."""

    @field_validator("base_url")
    @classmethod
    def _no_secret_in_the_url(cls, url: str) -> str:
        if not url:
            return url
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("write http://HOST:PORT or https://HOST")
        if parts.username or parts.password or parts.query:
            raise ValueError(
                f"no user, password or query in the URL: the key is in {KEY_VARIABLES[0]}"
            )
        return url.rstrip("/").removesuffix("/v1")


def model_settings(values: Mapping[str, Any], where: str) -> ModelSettings:
    """The `[model]` table.

    Args:
        values: the table as loaded; empty for the defaults.
        where: file it comes from, for errors.

    Raises:
        ConfigError: unknown key or bad value.
    """
    return settings_as(ModelSettings, values, f"{where} [{TABLE}]")


def installed_settings(env: Mapping[str, str]) -> ModelSettings:
    """The shipped table with the environment applied.

    Raises:
        ConfigError: unknown key or bad value.
    """
    shipped = read_toml(resource_dir("configs") / "workers.toml").get(TABLE, {})
    values = merge(shipped, environment(env).get(TABLE, {}))
    return model_settings(values, "worker settings")


def server_url(settings: ModelSettings, env: Mapping[str, str]) -> str:
    """Where the server is."""
    return settings.base_url or env.get(URL_VARIABLE, "").rstrip("/") or DEFAULT_URL


def key_variable(env: Mapping[str, str]) -> str | None:
    """The environment variable that holds the key; none: no key is set."""
    return next((name for name in KEY_VARIABLES if env.get(name, "").strip()), None)
