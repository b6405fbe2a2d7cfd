"""The models of a process: loaded once, shared by every index that it opens."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType

from ragsolver_rag.batching import Batcher
from ragsolver_rag.embed import Encoder, EncoderConfig, SentenceEncoder
from ragsolver_rag.index import Vector
from ragsolver_rag.rerank import CrossEncoderReranker, Reranker
from ragsolver_rag.settings import RetrieverSettings

_WAITING_TEXTS = 1024
_PAIRS = 256
"""Pairs of one call of a cross-encoder."""
_WAITING_PAIRS = 8192


class Models:
    """Encoder and reranker of the settings; nothing is loaded before it is needed."""

    def __init__(
        self, settings: RetrieverSettings, sentences: SentenceEncoder | None = None
    ) -> None:
        """For one question at a time.

        Args:
            settings: name the models.
            sentences: the encoder, where it is there already.
        """
        self.sentences = sentences or SentenceEncoder(EncoderConfig.of(settings))
        self.encoder: Encoder = self.sentences
        self.reranker: Reranker | None = None
        if settings.reranker:
            self.reranker = CrossEncoderReranker(settings.reranker, offline=settings.offline)


class SharedModels(Models, AbstractContextManager["SharedModels"]):
    """For many questions at once: what is asked within milliseconds is asked together."""

    def __init__(
        self,
        settings: RetrieverSettings,
        sentences: SentenceEncoder | None = None,
        reranker: CrossEncoderReranker | None = None,
    ) -> None:
        """See `Models`; to be closed."""
        super().__init__(settings, sentences)
        wait_s = settings.batch_wait_ms / 1000
        self._texts: Batcher[str, Vector] = Batcher(
            self.sentences.embed_queries,
            wait_s=wait_s,
            most=settings.batch_texts,
            waiting=_WAITING_TEXTS,
            name="encoder",
        )
        self.encoder = BatchedEncoder(self.sentences, self._texts)
        self._pairs: Batcher[tuple[str, str], float] | None = None
        judge = reranker or self.reranker
        if isinstance(judge, CrossEncoderReranker):
            self._pairs = Batcher(
                judge.pair_scores,
                wait_s=wait_s,
                most=_PAIRS,
                waiting=_WAITING_PAIRS,
                name="reranker",
            )
            self.reranker = BatchedReranker(judge.name, self._pairs)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._texts.close()
        if self._pairs is not None:
            self._pairs.close()


class BatchedEncoder:
    """An encoder whose texts travel with those of others; what it remembers waits for nobody."""

    def __init__(self, sentences: SentenceEncoder, batcher: Batcher[str, Vector]) -> None:
        """Keep the parts."""
        self._sentences = sentences
        self._batcher = batcher

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """See `Encoder`.

        Raises:
            ModelError: the model is not on this machine.
            OverloadedError: too many texts wait.
        """
        found = {t: v for t in texts if (v := self._sentences.remembered(t)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        made = self._batcher.submit(missing).result()
        found.update(zip(missing, made, strict=True))
        return [found[text] for text in texts]


class BatchedReranker:
    """A reranker whose pairs travel with those of others."""

    def __init__(self, name: str, batcher: Batcher[tuple[str, str], float]) -> None:
        """Keep the parts."""
        self._name = name
        self._batcher = batcher

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker`.

        Raises:
            ModelError: the model is not on this machine.
            OverloadedError: too many pairs wait.
        """
        return self._batcher.submit([(query, text) for text in texts]).result()
