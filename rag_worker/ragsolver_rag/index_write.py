"""Writing the tables of an index in LanceDB, once, into a folder that nobody reads yet."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragsolver_rag.facts_table import VOCABULARY, facts_columns
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow
from ragsolver_rag.index_folder import MATHLIB
from ragsolver_rag.meaning import Meanings
from ragsolver_rag.meaning_table import MEANING, MEANINGS, vector_column

DOCUMENTS = "documents"
VECTOR = "embedding"
TEXT = "search_text"
INDEXED_FROM = 5_000
"""Rows from which an approximate vector index pays; below, the exact search is as fast."""
_STORED = [name for name in DeclarationRow.model_fields if name != "fields"]


def write_index(
    folder: Path,
    document: dict[str, Any],
    rows: Sequence[DeclarationRow],
    vectors: npt.NDArray[np.float16] | None,
    constants: dict[str, str],
    meanings: Meanings | None = None,
) -> None:
    """Write both tables and their indices into a folder that nobody reads yet.

    Args:
        folder: made if missing; must hold no tables.
        document: the one row of `documents`.
        rows: the declarations.
        vectors: shape `(len(rows), dimensions)`, unit length; none: only words find the rows.
        constants: columns of `mathlib` that are the same in every row.
        meanings: what was learned of these rows.
    """
    import lancedb  # takes a second, and only a build needs it
    from lancedb.index import FTS, Bitmap, BTree, HnswSq

    database = lancedb.connect(folder)
    database.create_table(DOCUMENTS, pa.Table.from_pylist([document]))
    terms, words = facts_columns(rows)
    database.create_table(VOCABULARY, words)
    if meanings is not None:
        terms[MEANING] = vector_column(meanings.declarations)
        database.create_table(MEANINGS, pa.table({MEANING: vector_column(meanings.terms)}))
    declarations = _declarations(rows, vectors, constants, terms)
    table = database.create_table(MATHLIB, declarations)
    # The column is tokenised before it is written: blanks separate terms, nothing else happens.
    words = FTS(
        base_tokenizer="whitespace",
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
        max_token_length=None,
    )
    table.create_index(TEXT, config=words)
    table.create_index("decl_name", config=BTree())
    table.create_index("kind", config=Bitmap())
    for column in (VECTOR, MEANING):
        if column in declarations.schema.names and len(rows) >= INDEXED_FROM:
            graph = HnswSq(distance_type="cosine", num_partitions=1, m=16, ef_construction=100)
            table.create_index(column, config=graph)
    # Each index made a version of the table; only the last is read.
    table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)


def _declarations(
    rows: Sequence[DeclarationRow],
    vectors: npt.NDArray[np.float16] | None,
    constants: dict[str, str],
    terms: dict[str, Any],
) -> pa.Table:
    columns: dict[str, Any] = {name: [getattr(row, name) for row in rows] for name in _STORED}
    columns.update(terms)
    repeated = {"corpus": "mathlib", "unit_type": MATHLIB_UNIT, "language": "lean", **constants}
    for name, value in repeated.items():
        columns[name] = pa.array([value] * len(rows), pa.string()).dictionary_encode()
    if vectors is not None:
        columns[VECTOR] = vector_column(vectors)
    return pa.table(columns)
