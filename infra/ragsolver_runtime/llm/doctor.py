"""Whether a language model can be asked from here."""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Literal, NamedTuple

from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.settings import (
    DEFAULT_URL,
    KEY_VARIABLES,
    ModelSettings,
    installed_settings,
    key_variable,
    server_url,
)

DISTRIBUTION = "anthropic"


class ModelState(NamedTuple):
    """What was found; `note` stops nothing: without a model the portfolio works alone."""

    state: Literal["ok", "broken", "note"]
    detail: str
    fix: str = ""


def model_state(env: Mapping[str, str], settings: ModelSettings | None = None) -> ModelState:
    """Installed, key, address; no request is made and the key is not shown.

    Args:
        env: environment variables.
        settings: the `[model]` table; none: the shipped one with the environment applied.
    """
    try:
        found = settings or installed_settings(env)
    except ConfigError as error:
        return ModelState("broken", str(error))
    if found.provider != "anthropic":
        return ModelState("ok", f"provider {found.provider}")
    try:
        client = f"{DISTRIBUTION} {version(DISTRIBUTION)}"
    except PackageNotFoundError:
        return ModelState("note", "the engine `llm` has no client", "pip install 'ragsolver[llm]'")
    url, variable = server_url(found, env), key_variable(env)
    if variable is not None:
        return ModelState("ok", f"{client}, {url}, key in {variable}")
    if url != DEFAULT_URL:
        return ModelState("ok", f"{client}, {url}, no key")
    fix = f"export {KEY_VARIABLES[0]}=…"
    return ModelState("note", f"{client}, {url}, no key: the portfolio works alone", fix)
