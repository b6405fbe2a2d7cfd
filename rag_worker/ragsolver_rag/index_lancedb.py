"""The index in LanceDB.

Tables: `documents` (where units come from), `mathlib` (declarations), `vocabulary` (their terms).
One writer, at build time, into a folder that nobody reads yet; readers open the finished folder.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.facts import Facts
from ragsolver_rag.facts_table import FACT_COLUMNS, VOCABULARY, facts_columns, read_facts
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow, Place, Scored, Vector, Vectors
from ragsolver_rag.index_folder import MATHLIB

DOCUMENTS = "documents"
_VECTOR = "embedding"
_TEXT = "search_text"
_NOT_GIVEN_BACK = frozenset({_TEXT, "embedding_text", "fields"})
_STORED = [name for name in DeclarationRow.model_fields if name != "fields"]
_COLUMNS = [name for name in DeclarationRow.model_fields if name not in _NOT_GIVEN_BACK]
_INDEXED_FROM = 5_000
"""Rows from which an approximate vector index pays; below, the exact search is as fast."""
_EF = 800
"""Breadth of the graph search; over 302,068 rows 200 finds .90 of the true fifty, 800 .96."""


class LanceIndex:
    """The finished index; opened once, read from any thread."""

    def __init__(self, folder: Path) -> None:
        """Open the tables.

        Raises:
            FileNotFoundError: no index in the folder.
        """
        if not (folder / f"{MATHLIB}.lance").is_dir():
            raise FileNotFoundError(f"no table {MATHLIB} in {folder}")
        self._database = _connect(folder)
        self._table: Any = self._database.open_table(MATHLIB)
        self._vectors = _VECTOR in self._table.schema.names
        self._graph = any(_VECTOR in index.columns for index in self._table.list_indices())
        self._names: tuple[str, ...] | None = None
        self._facts: Facts | None = None
        self._lock = threading.Lock()

    def dense(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Nearest rows by cosine similarity; see `Index`."""
        return self._with_rows(self.nearest(query, limit, filters))

    def exact(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """As `dense`, past the vector index: every row is compared."""
        return self._with_rows(self._nearest(query, limit, filters, exact=True))

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by BM25; see `Index`."""
        return self._with_rows(self.matching(terms, limit, filters))

    def nearest(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `dense`, but only which; see `Index`."""
        return self._nearest(query, limit, filters, exact=not self._graph)

    def matching(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `sparse`, but only which; see `Index`."""
        distinct = " ".join(dict.fromkeys(terms))
        if not distinct or _impossible(filters):
            return []
        search = self._table.search(distinct, query_type="fts", fts_columns=_TEXT)
        return self._places(search, limit, filters, "_score")

    def rows(self, orders: Sequence[int]) -> list[DeclarationRow]:
        """The declarations of these orders; see `Index`.

        A table is written once, in order, so that the order is the place in it.
        """
        if not orders:
            return []
        found = self._table.take_offsets(list(orders)).select(_COLUMNS).to_list()
        by_order = {item["order"]: DeclarationRow(**item) for item in found}
        return [by_order[order] for order in orders]

    def vectors(self, orders: Sequence[int]) -> Vectors | None:
        """Vectors of these declarations; see `Index`."""
        if not self._vectors or not orders:
            return None
        distinct = sorted(set(orders))
        found = self._table.take_offsets(distinct).select(["order", _VECTOR]).to_arrow()
        column = found[_VECTOR].combine_chunks()
        flat = column.values.to_numpy(zero_copy_only=False).astype(np.float32)
        place = {order: n for n, order in enumerate(found["order"].to_pylist())}
        chosen: Vectors = flat.reshape(len(found), -1)[[place[order] for order in orders]]
        return chosen

    def facts(self) -> Facts:
        """See `Index`."""
        with self._lock:
            if self._facts is None:
                columns = self._all(list(FACT_COLUMNS))
                words = self._database.open_table(VOCABULARY).to_arrow()
                self._facts = read_facts(columns, words)
            return self._facts

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
            self._names = tuple(self._all(["decl_name"])["decl_name"].to_pylist())
        return self._names

    def _all(self, columns: list[str]) -> pa.Table:
        count = self._table.count_rows()
        return self._table.search().select(columns).limit(count).to_arrow()

    def _nearest(
        self, query: Vector, limit: int, filters: RetrievalFilters, *, exact: bool
    ) -> list[Place]:
        if not self._vectors or _impossible(filters):
            return []
        search = self._table.search(query, vector_column_name=_VECTOR).distance_type("cosine")
        search = search.bypass_vector_index() if exact else search.ef(max(_EF, 2 * limit))
        found = self._places(search, limit, filters, "_distance")
        return [Place(order, 1.0 - distance) for order, distance in found]

    def _places(
        self, search: Any, limit: int, filters: RetrievalFilters, score: str
    ) -> list[Place]:
        clauses = _clauses(filters)
        if clauses:
            search = search.where(" AND ".join(clauses), prefilter=True)
        found = search.select(["order", score]).limit(limit).to_arrow()
        return list(map(Place, found["order"].to_pylist(), found[score].to_pylist()))

    def _with_rows(self, places: Sequence[Place]) -> list[Scored]:
        rows = self.rows([place.order for place in places])
        return [Scored(row, place.score) for row, place in zip(rows, places, strict=True)]


def embedded_before(folder: Path, texts: set[str]) -> dict[str, npt.NDArray[np.float16]]:
    """Vectors of those texts that an index has embedded."""
    if not texts:
        return {}
    table = _connect(folder).open_table(MATHLIB)
    if _VECTOR not in table.schema.names:
        return {}
    found: dict[str, npt.NDArray[np.float16]] = {}
    count = table.count_rows()
    held = table.search().select(["embedding_text", _VECTOR]).limit(count).to_arrow()
    flat = held[_VECTOR].combine_chunks().values.to_numpy(zero_copy_only=False)
    vectors = flat.astype(np.float16).reshape(count, -1)
    for place, text in enumerate(held["embedding_text"].to_pylist()):
        if text in texts:
            found[text] = vectors[place]
    return found


def write_index(
    folder: Path,
    document: dict[str, Any],
    rows: Sequence[DeclarationRow],
    vectors: npt.NDArray[np.float16] | None,
    constants: dict[str, str],
) -> None:
    """Write both tables and their indices into a folder that nobody reads yet.

    Args:
        folder: made if missing; must hold no tables.
        document: the one row of `documents`.
        rows: the declarations.
        vectors: shape `(len(rows), dimensions)`, unit length; none: only words find the rows.
        constants: columns of `mathlib` that are the same in every row.
    """
    database = _connect(folder)
    database.create_table(DOCUMENTS, pa.Table.from_pylist([document]))
    terms, words = facts_columns(rows)
    database.create_table(VOCABULARY, words)
    declarations = _declarations(rows, vectors, constants, terms)
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
    if vectors is not None and len(rows) >= _INDEXED_FROM:
        graph = HnswSq(distance_type="cosine", num_partitions=1, m=16, ef_construction=100)
        table.create_index(_VECTOR, config=graph)


def _connect(folder: Path) -> Any:
    import lancedb  # takes a second, and only an opened index needs it

    return lancedb.connect(folder)


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
