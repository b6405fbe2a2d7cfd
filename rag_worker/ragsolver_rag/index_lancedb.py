"""The index in LanceDB: tables `documents` (where units come from) and `mathlib` (declarations).

One writer, at build time, into a folder that nobody reads yet; readers open the finished folder.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow, Scored, Vector

DOCUMENTS = "documents"
MATHLIB = "mathlib"
_VECTOR = "embedding"
_TEXT = "search_text"
_COLUMNS = [name for name in DeclarationRow.model_fields if name not in {_TEXT, "embedding_text"}]
_INDEXED_FROM = 5_000
"""Rows from which an approximate vector index pays; below, the exact search is as fast."""
_EF = 200
"""Breadth of the graph search."""


class LanceIndex:
    """The finished index; opened once, read from any thread."""

    def __init__(self, folder: Path) -> None:
        """Open the tables.

        Raises:
            FileNotFoundError: no index in the folder.
        """
        if not (folder / f"{MATHLIB}.lance").is_dir():
            raise FileNotFoundError(f"no table {MATHLIB} in {folder}")
        import lancedb

        self._table: Any = lancedb.connect(folder).open_table(MATHLIB)
        self._graph = any(_VECTOR in index.columns for index in self._table.list_indices())
        self._names: tuple[str, ...] | None = None

    def dense(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Nearest rows by cosine similarity; see `Index`."""
        return self._nearest(query, limit, filters, exact=not self._graph)

    def exact(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """As `dense`, past the vector index: every row is compared."""
        return self._nearest(query, limit, filters, exact=True)

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by BM25; see `Index`."""
        distinct = " ".join(dict.fromkeys(terms))
        if not distinct or _impossible(filters):
            return []
        search = self._table.search(distinct, query_type="fts", fts_columns=_TEXT)
        return [Scored(row, s) for row, s in self._rows(search, limit, filters, "_score")]

    def named(self, names: Sequence[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        """Rows of these declarations; see `Index`."""
        wanted = list(dict.fromkeys(names))
        if not wanted or _impossible(filters):
            return []
        condition = _any_of("decl_name", wanted)
        clauses = [condition, *_clauses(filters)]
        found = (
            self._table.search()
            .where(" AND ".join(clauses))
            .select(_COLUMNS)
            .limit(len(wanted))
            .to_list()
        )
        by_name = {item["decl_name"]: DeclarationRow(**item) for item in found}
        return [by_name[name] for name in wanted if name in by_name]

    def names(self) -> Sequence[str]:
        """All declaration names, in order; read once."""
        if self._names is None:
            count = self._table.count_rows()
            column = self._table.search().select(["decl_name"]).limit(count).to_arrow()
            self._names = tuple(column["decl_name"].to_pylist())
        return self._names

    def _nearest(
        self, query: Vector, limit: int, filters: RetrievalFilters, *, exact: bool
    ) -> list[Scored]:
        if _impossible(filters):
            return []
        search = self._table.search(query, vector_column_name=_VECTOR).distance_type("cosine")
        search = search.bypass_vector_index() if exact else search.ef(max(_EF, 2 * limit))
        found = self._rows(search, limit, filters, "_distance")
        return [Scored(row, 1.0 - distance) for row, distance in found]

    def _rows(
        self, search: Any, limit: int, filters: RetrievalFilters, score: str
    ) -> Iterable[tuple[DeclarationRow, float]]:
        clauses = _clauses(filters)
        if clauses:
            search = search.where(" AND ".join(clauses), prefilter=True)
        for item in search.select([*_COLUMNS, score]).limit(limit).to_list():
            value = float(item.pop(score))
            yield DeclarationRow(**item), value


def write_index(
    folder: Path,
    document: dict[str, Any],
    rows: Sequence[DeclarationRow],
    vectors: npt.NDArray[np.float16],
    constants: dict[str, str],
) -> None:
    """Write both tables and their indices into a folder that nobody reads yet.

    Args:
        folder: made if missing; must hold no tables.
        document: the one row of `documents`.
        rows: the declarations.
        vectors: shape `(len(rows), dimensions)`, unit length.
        constants: columns of `mathlib` that are the same in every row.
    """
    import lancedb

    database = lancedb.connect(folder)
    database.create_table(DOCUMENTS, pa.Table.from_pylist([document]))
    declarations = _declarations(rows, vectors, constants)
    table = database.create_table(MATHLIB, declarations)
    from lancedb.index import FTS, Bitmap, BTree, HnswSq

    # The column is tokenised before it is written: blanks separate terms, nothing else happens.
    words = FTS(
        base_tokenizer="whitespace",
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
        max_token_length=None,
    )
    table.create_index(_TEXT, config=words)
    table.create_index("decl_name", config=BTree())
    table.create_index("kind", config=Bitmap())
    if len(rows) >= _INDEXED_FROM:
        graph = HnswSq(distance_type="cosine", num_partitions=1, m=16, ef_construction=100)
        table.create_index(_VECTOR, config=graph)


def _connect(folder: Path) -> Any:
    import lancedb  # takes a second, and only an opened index needs it

    return lancedb.connect(folder)


def _declarations(
    rows: Sequence[DeclarationRow],
    vectors: npt.NDArray[np.float16],
    constants: dict[str, str],
) -> pa.Table:
    columns: dict[str, Any] = {
        name: [getattr(row, name) for row in rows] for name in DeclarationRow.model_fields
    }
    repeated = {"corpus": "mathlib", "unit_type": MATHLIB_UNIT, "language": "lean", **constants}
    for name, value in repeated.items():
        columns[name] = pa.array([value] * len(rows), pa.string()).dictionary_encode()
    flat = pa.array(vectors.ravel(), type=pa.float16())
    columns[_VECTOR] = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    return pa.table(columns)


def _impossible(filters: RetrievalFilters) -> bool:
    return bool(filters.unit_types) and MATHLIB_UNIT not in filters.unit_types


def _clauses(filters: RetrievalFilters) -> list[str]:
    wanted = (
        ("kind", filters.kinds),
        ("doc_id", filters.doc_ids),
        ("math_area", filters.math_area),
    )
    return [_any_of(column, values) for column, values in wanted if values]


def _any_of(column: str, values: Sequence[str]) -> str:
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"
