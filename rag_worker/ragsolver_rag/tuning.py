"""Everything of the search that is tuned: `configs/retrieval.yaml`, or another file like it."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ragsolver_rag.features import FEATURES
from ragsolver_rag.verbalize import FIELDS
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.paths import resource_dir

FILE = "retrieval.yaml"

Number = TypeVar("Number", int, float)


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TextTuning(_Table):
    """What the full-text column is made of. A change makes another index."""

    repeats: Mapping[str, int] = Field(default_factory=dict)
    """How often the terms of a field stand in it, by field; once where nothing is said."""

    @field_validator("repeats")
    @classmethod
    def _known(cls, value: Mapping[str, int]) -> Mapping[str, int]:
        return _of_known(value, FIELDS, "field")


class PoolTuning(_Table):
    """How many candidates a channel gives at least, where the request does not want more.

    A channel of 0 is not asked.
    """

    lexical: int = Field(default=200, ge=0)
    dense: int = Field(default=100, ge=0)
    akin: int = Field(default=200, ge=0)
    """Nearest by the meanings learned from the corpus."""
    cosine: int = Field(default=150, ge=0)
    """Candidates of the full-text channel whose vectors are looked up for the second stage."""


class FusionTuning(_Table):
    """Reciprocal rank fusion."""

    k: float = Field(default=10.0, ge=0)
    """Damping; small, because the first ranks are the good ones."""
    dense: float = Field(default=0.5, ge=0)
    lexical: float = Field(default=1.0, ge=0)
    akin: float = Field(default=1.0, ge=0)
    """Weight of the order by learned meaning."""
    certain: float = Field(default=2.0, ge=0)
    """Weight of declarations that a query names or states."""
    popularity: float = Field(default=0.5, ge=0)
    """How much more the most popular declaration counts; only without the second stage."""


class RescoringTuning(_Table):
    """The second stage: a weight for each feature, learned from the corpus itself.

    Where there are no vectors, what they would say is the same for all and decides nothing.
    """

    enabled: bool = True
    parsers: tuple[str, ...] = ()
    """Corpora for which the weights hold, by what made them (`corpus.CorpusManifest.parser`).

    In an exported corpus nothing is documented and mentions are not counted; there fusion alone
    is better. Empty: all.
    """
    hidden: tuple[str, ...] = ()
    """Fields that are taken as empty; for measuring what they are worth."""
    weights: Mapping[str, float] = Field(default_factory=dict)
    """By feature of `features.FEATURES`; nothing where nothing is said."""

    @field_validator("weights")
    @classmethod
    def _known(cls, value: Mapping[str, float]) -> Mapping[str, float]:
        return _of_known(value, FEATURES, "feature")

    @field_validator("hidden")
    @classmethod
    def _fields(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        _of_known(dict.fromkeys(value, 0), FIELDS, "field")
        return value


class ResultTuning(_Table):
    """What of the ranking is given back."""

    max_per_module: int = Field(default=0, ge=0)
    """Hits of one module at most; 0: any number."""
    closest_names: int = Field(default=5, ge=1)
    """Names offered for an identifier that does not exist."""
    rerank_candidates: int = Field(default=50, ge=1)
    """Candidates that a cross-encoder judges."""


class Tuning(_Table):
    """All of it."""

    text: TextTuning = TextTuning()
    pool: PoolTuning = PoolTuning()
    fusion: FusionTuning = FusionTuning()
    rescoring: RescoringTuning = RescoringTuning()
    result: ResultTuning = ResultTuning()

    def for_corpus(self, parser: str) -> "Tuning":
        """The tuning of a corpus that this parser made."""
        told = self.rescoring
        if not told.enabled or not told.parsers or parser in told.parsers:
            return self
        off = told.model_copy(update={"enabled": False})
        return self.model_copy(update={"rescoring": off})


def load_tuning(path: str = "") -> Tuning:
    """The tuning in a file.

    Args:
        path: empty for the one that is shipped.

    Raises:
        ConfigError: the file is missing, no YAML, or says something unknown.
    """
    file = Path(path) if path else resource_dir("configs") / FILE
    try:
        said = yaml.safe_load(file.read_text("utf-8")) or {}
        return Tuning.model_validate(said)
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{file} is no YAML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{file}, {where}: {first['msg']}") from error


def _of_known(
    value: Mapping[str, Number], known: tuple[str, ...], what: str
) -> Mapping[str, Number]:
    unknown = sorted(set(value) - set(known))
    if unknown:
        raise ValueError(f"unknown {what} {unknown[0]!r}; there are {', '.join(known)}")
    return value
