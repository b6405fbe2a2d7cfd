"""What is looked up and what is found.

`RetrievalResult` and all it holds are a given contract: the generated schema equals
`contracts/given/RetrievalResult.schema.json`, which has no descriptions and allows no other
titles; therefore these classes carry comments and not docstrings.
"""
# ruff: noqa: D101

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ragsolver_contracts.base import Model

Corpus = Literal["mathlib", "informal"]
Mode = Literal["nl", "formal", "error", "exemplar"]


class GivenModel(BaseModel):
    model_config = ConfigDict(frozen=True)


# How a hit scored in each stage; None where the stage did not see it.
class CitationScores(GivenModel):
    dense: float | None = None
    sparse: float | None = None
    fused: float | None = None
    rerank: float | None = None


# For whom and for what the retrieval was made.
class RetrievalContext(GivenModel):
    problem_id: str
    subgoal_id: str = ""
    attempt: int = 0
    agent: str = ""
    run_id: str = ""


# A claim's pointer to evidence: `M1`, `I2`, …, with a locator that resolves.
class Citation(GivenModel):
    citation_id: str
    chunk_id: str
    corpus: Corpus
    unit_type: str
    label: str
    locator: dict[str, Any] = Field(default_factory=dict)
    scores: CitationScores = Field(default_factory=CitationScores)
    retrieved_for: RetrievalContext
    used_in_proof: bool = False
    used_in_sketch: bool = False
    snippet: str = ""


# One passage found, with its citation.
class Hit(GivenModel):
    chunk_id: str
    corpus: Corpus
    unit_type: str
    rank: int
    text: str
    content_md: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    figures: list[dict[str, Any]] = Field(default_factory=list)
    citation: Citation


# Exactly which models and which index answered.
class VersionsPin(GivenModel):
    embedding_model: str = ""
    reranker_model: str = ""
    index_version: str = ""
    mathlib_tag: str = ""
    mathlib_table: str = ""


class RetrievalTrace(GivenModel):
    latency_ms: float = 0.0
    n_candidates: int = 0
    versions: VersionsPin = Field(default_factory=VersionsPin)


class RetrievalResult(GivenModel):
    hits: list[Hit] = Field(default_factory=list)
    citations: list[Citation] = Field(default_factory=list)
    trace: RetrievalTrace = Field(default_factory=RetrievalTrace)


class RetrievalFilters(Model):
    """What a hit must satisfy; an empty list does not restrict."""

    math_area: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    unit_types: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


class RetrievalRequest(Model):
    """One question to the retriever."""

    queries: tuple[str, ...] = Field(min_length=1, max_length=4)
    rerank_against: str | None = None
    """Text the reranker judges against; none: the first query."""
    mode: Mode = "nl"
    corpora: tuple[Corpus, ...] = ("mathlib",)
    k: int = Field(default=8, ge=1, le=100)
    """Hits per corpus."""
    n_candidates: int = Field(default=50, ge=1, le=1000)
    """Candidates per channel (dense, sparse) and query."""
    filters: RetrievalFilters = RetrievalFilters()
    rerank: bool = True
    include_figures: bool = True
    context: RetrievalContext
