"""What calls cost, by model; a model that is not in the table has no known cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.llm import Usage
from ragsolver_runtime.config import checked, read_toml
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.paths import resource_dir

_MILLION = 1_000_000


class ModelPrice(Model):
    """US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float = Field(ge=0)
    cache_write: float = Field(ge=0)
    """Kept for five minutes, which is what requests ask for."""


@dataclass(frozen=True)
class Cost:
    """Of one try, in US dollars."""

    usd: float
    known: bool
    """False: the model has no price here, and `usd` is 0."""


@dataclass(frozen=True)
class Prices:
    """Prices by model name."""

    models: Mapping[str, ModelPrice] = field(default_factory=dict)

    def knows(self, model: str) -> bool:
        """Whether a model has a price."""
        return model in self.models

    def cost(self, model: str, usage: Usage) -> Cost:
        """What a try cost, from the tokens that the server counted."""
        price = self.models.get(model)
        if price is None:
            return Cost(0.0, known=False)
        spent = (
            usage.input_tokens * price.input
            + usage.output_tokens * price.output
            + usage.cache_read_tokens * price.cache_read
            + usage.cache_write_tokens * price.cache_write
        )
        return Cost(spent / _MILLION, known=True)


def load_prices(file: str = "") -> Prices:
    """A table of prices: `[models."NAME"]` with `input, output, cache_read, cache_write`.

    Args:
        file: path of a TOML file; empty: the shipped `configs/models.toml`.

    Raises:
        ConfigError: it cannot be read, or an entry is not a price.
    """
    path = Path(file).expanduser() if file else resource_dir("configs") / "models.toml"
    table = read_toml(path)
    models = table.pop("models", {})
    if table or not isinstance(models, Mapping):
        named = ", ".join(table) or "models"
        raise ConfigError(f'{path}: {named}: prices stand in tables [models."NAME"]')
    prices = {}
    for name, values in models.items():
        if not isinstance(values, Mapping):
            raise ConfigError(f"{path}: models.{name} is a table of prices, not a value")
        prices[name] = checked(ModelPrice, values, f"{path} [models.{name}]")
    return Prices(prices)
