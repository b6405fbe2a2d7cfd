"""Whether a test problem stands in the formal corpus already. Port of the runtime's evaluation.

Each problem is compared with every declaration, past the approximate index: by the shape of its
statement (equal up to the names and types of variables and the sides of an equation), by the
encoder, and by its name. The informal corpus is empty so far.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from ragsolver_contracts.evaluation import Contaminated, ContaminationCheck
from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.embed import Encoder, EncoderConfig, SentenceEncoder
from ragsolver_rag.index import DeclarationRow, Scored, Vector
from ragsolver_rag.index_folder import (
    IndexManifest,
    IndexMissingError,
    find_index,
    tables_dir,
)
from ragsolver_rag.queries import prepare
from ragsolver_rag.settings import RetrieverSettings, retriever_settings
from ragsolver_rag.shape import whole_shapes
from ragsolver_rag.statement import split_type
from ragsolver_runtime.evaluate.contamination import Probe

_NEAREST = 10
_BY_SHAPE = 20
_ALL = RetrievalFilters()


class ExactIndex(Protocol):
    """What the comparison needs of an index."""

    def exact(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Nearest rows, every row compared."""
        ...

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by the terms of the full-text index."""
        ...

    def named(self, names: Sequence[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        """Rows of these declarations."""
        ...


def compare(
    problems: Sequence[Probe], threshold: float, settings: Mapping[str, Any]
) -> ContaminationCheck:
    """Compare problems with the index that the settings name; see the module.

    In a process of its own: whoever asks goes on to start workers, and neither the database nor
    the encoder bears a fork.
    """
    table = retriever_settings(settings)
    try:
        folder, manifest = find_index(table)
    except IndexMissingError as error:
        return ContaminationCheck(threshold=threshold, skipped=f"No corpus was compared: {error}.")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_compared, problems, threshold, table, folder, manifest).result()


def _compared(
    problems: Sequence[Probe],
    threshold: float,
    table: RetrieverSettings,
    folder: Path,
    manifest: IndexManifest,
) -> ContaminationCheck:
    from ragsolver_rag.index_lancedb import LanceIndex

    config = EncoderConfig.of(table)
    index, encoder = LanceIndex(tables_dir(folder, manifest)), SentenceEncoder(config)
    found = contaminated(problems, threshold, manifest.corpus, index, encoder)
    return ContaminationCheck(
        corpora=(f"{manifest.mathlib_tag} ({manifest.version})",),
        encoder=config.pin,
        threshold=threshold,
        problems=len(problems),
        found=tuple(found),
    )


def contaminated(
    problems: Sequence[Probe],
    threshold: float,
    corpus: str,
    index: ExactIndex,
    encoder: Encoder,
) -> Iterator[Contaminated]:
    """The problems that the corpus answers, each with the strongest reason.

    Args:
        problems: what is going to be tested.
        threshold: cosine above which two texts count as paraphrases.
        corpus: its name.
        index: its declarations.
        encoder: the one whose vectors the index holds.
    """
    for problem in problems:
        nearest = _nearest(problem, index, encoder)
        same = _same_statement(problem, index)
        named = index.named([problem.name], _ALL)
        score = round(nearest.score, 4) if nearest is not None else None
        for why, document in (
            ("statement", same),
            ("name", named[0].decl_name if named else None),
            ("similar", nearest.row.decl_name if nearest and nearest.score > threshold else None),
        ):
            if document is not None:
                yield Contaminated.model_validate(
                    {
                        "name": problem.name,
                        "corpus": corpus,
                        "document": document,
                        "why": why,
                        "similarity": score,
                    }
                )
                break


def _nearest(problem: Probe, index: ExactIndex, encoder: Encoder) -> Scored | None:
    texts = []
    if problem.formal_statement:
        texts.append(prepare(problem.formal_statement, "formal").text)
    if problem.informal_statement:
        texts.append(prepare(problem.informal_statement, "nl").text)
    vectors = encoder.embed_queries(texts)
    found = [hit for vector in vectors for hit in index.exact(vector, _NEAREST, _ALL)]
    return max(found, key=lambda hit: hit.score, default=None)


def _same_statement(problem: Probe, index: ExactIndex) -> str | None:
    shapes = prepare(problem.formal_statement, "formal").shapes
    for hit in index.sparse(shapes, _BY_SHAPE, _ALL) if shapes else ():
        if not set(shapes).isdisjoint(whole_shapes(split_type(hit.row.type))):
            return hit.row.decl_name
    return None
