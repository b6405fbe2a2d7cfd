"""The port to a reranker, and the one of sentence-transformers. Off unless a model is named."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ragsolver_rag.embed import ModelError, forbid_hub


class Reranker(Protocol):
    """Judges texts against a query."""

    @property
    def name(self) -> str:
        """Which model judges; recorded with every result."""
        ...

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the query, in the order given; higher is better."""
        ...


class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers, loaded at first use; safe in threads."""

    def __init__(
        self, name: str, *, offline: bool = True, load: Callable[[str], Any] | None = None
    ) -> None:
        """Load nothing yet.

        Args:
            name: a model's name or folder.
            offline: never ask a model hub.
            load: makes the model; has `predict(list of pairs)`. For tests.
        """
        self._name = name
        self._offline = offline
        self._load = load or self._load_model
        self._model: Any = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Scores of the texts; see `Reranker`.

        Raises:
            ModelError: the model is not on this machine.
        """
        return self.pair_scores([(query, text) for text in texts])

    def pair_scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Scores of pairs of query and text, in one call of the model.

        Raises:
            ModelError: the model is not on this machine.
        """
        if not pairs:
            return []
        with self._lock:
            if self._model is None:
                self._model = self._load(self._name)
            found = self._model.predict(list(pairs))
        return [float(score) for score in found]

    def _load_model(self, name: str) -> Any:
        forbid_hub(offline=self._offline)
        from sentence_transformers import CrossEncoder

        try:
            return CrossEncoder(name)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"reranker {name!r} cannot be loaded: {error}. Put it on this machine, set "
                "retriever.offline=false, or leave retriever.reranker empty"
            ) from error
