"""The index in LanceDB, as it is read.

Tables: `documents` (where units come from), `mathlib` (declarations), `vocabulary` (their terms);
`index_write` writes them, once. What a search needs of every hit and what has few values is held
in memory; the texts of a hit are read when it is given back.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.conditions import any_of, clauses, impossible
from ragsolver_rag.facts import Facts
from ragsolver_rag.facts_table import FACT_COLUMNS, VOCABULARY, read_facts
from ragsolver_rag.index import (
    DeclarationRow,
    IndexDamagedError,
    Place,
    Scored,
    Vector,
    Vectors,
)
from ragsolver_rag.index_folder import MATHLIB
from ragsolver_rag.index_tables import Caches, about_table, open_tables
from ragsolver_rag.index_write import TEXT, VECTOR
from ragsolver_rag.meaning import Meanings
from ragsolver_rag.meaning_table import MEANING, MEANINGS, vectors_of

_NOT_GIVEN_BACK = frozenset({TEXT, "embedding_text", "fields"})
_COLUMNS = [name for name in DeclarationRow.model_fields if name not in _NOT_GIVEN_BACK]
_OF_FEW_VALUES = ("doc_id", "kind", "module_path", "math_area", "informal_description", "note",
                  "origin", "deprecated", "successor", "docs_url")  # fmt: skip
_FEW = 20_000
"""A column of fewer distinct values is held in memory."""
_EF = 800
"""Breadth of the graph search; over 302,068 rows 200 finds .90 of the true fifty, 800 .96."""

T = TypeVar("T")


class LanceIndex:
    """The finished index; opened once, read from any thread."""

    def __init__(self, folder: Path, caches: Caches = Caches()) -> None:  # noqa: B008 - immutable
        """Open the tables.

        Raises:
            FileNotFoundError: no index in the folder.
            IndexDamagedError: there is one, and it cannot be read.
        """
        if not (folder / f"{MATHLIB}.lance").is_dir():
            raise FileNotFoundError(f"no table {MATHLIB} in {folder}")
        self._folder = folder
        self._database, self._table = self._run(open_tables(folder, caches))
        self.about = self._run(about_table(self._table))
        self._vectors = bool(self.about.dimensions)
        self._meant = MEANING in self.about.columns
        self._meanings: Meanings | None = None
        self._names: tuple[str, ...] | None = None
        self._facts: Facts | None = None
        self._held: _Held | None = None
        self._lock = threading.Lock()

    def dense(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Nearest rows by cosine similarity; see `Index`."""
        return self._with_rows(self.nearest(query, limit, filters))

    def exact(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """As `dense`, past the vector index: every row is compared."""
        if not self._vectors:
            return []
        return self._with_rows(self._nearest(query, limit, filters, exact=True))

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by BM25; see `Index`."""
        return self._with_rows(self.matching(terms, limit, filters))

    def nearest(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `dense`, but only which; see `Index`."""
        if not self._vectors:
            return []
        return self._nearest(query, limit, filters, exact=VECTOR not in self.about.indexed)

    def matching(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `sparse`, but only which; see `Index`."""
        return self.begin_matching(terms, limit, filters)()

    def begin_matching(
        self, terms: Sequence[str], limit: int, filters: RetrievalFilters
    ) -> Callable[[], list[Place]]:
        """As `matching`, begun now; see `Index`."""
        distinct = " ".join(dict.fromkeys(terms))
        if not distinct or impossible(filters):
            return list
        search = self._table.query().nearest_to_text(distinct, TEXT)
        begun = _begun(self._places(search, limit, filters, "_score"))
        return lambda: self._awaited(begun)

    def rows(self, orders: Sequence[int]) -> list[DeclarationRow]:
        """The declarations of these orders; see `Index`.

        A table is written once, in order, so that the order is the place in it.
        """
        if not orders:
            return []
        held = self._few_values()
        names = self.names()
        distinct = sorted(set(orders))
        taken = self._taken(distinct, held.others)
        by_order = {
            item["order"]: DeclarationRow.model_validate(
                {**item, **held.of(item["order"]), "decl_name": names[item["order"]]}
            )
            for item in taken.to_pylist()
        }
        return [by_order[order] for order in orders]

    def vectors(self, orders: Sequence[int]) -> Vectors | None:
        """Vectors of these declarations; see `Index`."""
        if not self._vectors or not orders:
            return None
        distinct = sorted(set(orders))
        found = self._taken(distinct, ["order", VECTOR])
        column = found[VECTOR].combine_chunks()
        flat = column.values.to_numpy(zero_copy_only=False).astype(np.float32)
        place = {order: n for n, order in enumerate(found["order"].to_pylist())}
        chosen: Vectors = flat.reshape(len(found), -1)[[place[order] for order in orders]]
        return chosen

    def meanings(self) -> Meanings | None:
        """See `Index`; read once."""
        with self._lock:
            if self._meant and self._meanings is None:
                table = self._run(self._database.open_table(MEANINGS))
                terms, own = self._run(table.to_arrow()), self._all([MEANING])
                self._meanings = Meanings(vectors_of(terms[MEANING]), vectors_of(own[MEANING]))
            return self._meanings

    def akin(self, question: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """See `Index`."""
        if not self._meant:
            return []
        exact = MEANING not in self.about.indexed
        return self._nearest(question, limit, filters, exact=exact, column=MEANING)

    def facts(self) -> Facts:
        """See `Index`."""
        with self._lock:
            if self._facts is None:
                columns = self._all(list(FACT_COLUMNS))
                table = self._run(self._database.open_table(VOCABULARY))
                try:
                    self._facts = read_facts(columns, self._run(table.to_arrow()))
                except ValueError as error:
                    raise self._damaged(str(error)) from error
                del columns
                pa.default_memory_pool().release_unused()
            return self._facts

    def named(self, names: Sequence[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        """Rows of these declarations; see `Index`."""
        wanted = list(dict.fromkeys(names))
        if not wanted or impossible(filters):
            return []
        conditions = [any_of("decl_name", wanted), *clauses(filters)]
        search = self._table.query().where(" AND ".join(conditions)).select(_COLUMNS)
        found = self._run(search.limit(len(wanted)).to_list())
        by_name = {item["decl_name"]: DeclarationRow(**item) for item in found}
        return [by_name[name] for name in wanted if name in by_name]

    def names(self) -> Sequence[str]:
        """All declaration names, in order; read once."""
        if self._names is None:
            self._names = tuple(self._all(["decl_name"])["decl_name"].to_pylist())
        return self._names

    def embedded(self) -> tuple[list[str], npt.NDArray[np.float16]] | None:
        """Every text that was embedded, and its vector; none where there are none."""
        if not self._vectors:
            return None
        held = self._all(["embedding_text", VECTOR])
        flat = held[VECTOR].combine_chunks().values.to_numpy(zero_copy_only=False)
        vectors = flat.astype(np.float16).reshape(len(held), -1)
        return held["embedding_text"].to_pylist(), vectors

    def _few_values(self) -> "_Held":
        with self._lock:
            if self._held is None:
                self._held = _Held(self._all(list(_OF_FEW_VALUES)))
            return self._held

    def _all(self, columns: list[str]) -> pa.Table:
        async def _read() -> pa.Table:
            count = await self._table.count_rows()
            return await self._table.query().select(columns).limit(count).to_arrow()

        return self._run(_read())

    def _taken(self, orders: Sequence[int], columns: list[str]) -> pa.Table:
        """Columns of distinct rows; all of them, or the table is not what was written."""
        found = self._run(self._table.take_offsets(list(orders)).select(columns).to_arrow())
        if len(found) != len(orders):
            raise self._damaged(f"{len(orders)} rows were asked for and {len(found)} are there")
        return found

    def _nearest(
        self,
        query: Vector,
        limit: int,
        filters: RetrievalFilters,
        *,
        exact: bool,
        column: str = VECTOR,
    ) -> list[Place]:
        if impossible(filters):
            return []
        search = self._table.query().nearest_to(query).column(column).distance_type("cosine")
        search = search.bypass_vector_index() if exact else search.ef(max(_EF, 2 * limit))
        found = self._run(self._places(search, limit, filters, "_distance"))
        return [Place(order, 1.0 - distance) for order, distance in found]

    async def _places(
        self, search: Any, limit: int, filters: RetrievalFilters, score: str
    ) -> list[Place]:
        wanted = clauses(filters)
        if wanted:
            search = search.where(" AND ".join(wanted))
        found = await search.select(["order", score]).limit(limit).to_arrow()
        return list(map(Place, found["order"].to_pylist(), found[score].to_pylist()))

    def _with_rows(self, places: Sequence[Place]) -> list[Scored]:
        rows = self.rows([place.order for place in places])
        return [Scored(row, place.score) for row, place in zip(rows, places, strict=True)]

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._awaited(_begun(work))

    def _awaited(self, begun: "Future[T]") -> T:
        """A result of LanceDB; whatever keeps it from reading a finished index is damage.

        Its panics are no `Exception`.
        """
        try:
            return begun.result()
        except (KeyboardInterrupt, SystemExit):
            begun.cancel()
            raise
        except BaseException as error:
            raise self._damaged(str(error) or type(error).__name__) from error

    def _damaged(self, why: str) -> IndexDamagedError:
        return IndexDamagedError(f"the index at {self._folder} cannot be read: {why}")


class _Held:
    """Columns of few values, in memory; the others are read row by row."""

    def __init__(self, columns: pa.Table) -> None:
        self._values: dict[str, list[str]] = {}
        self._places: dict[str, npt.NDArray[np.int32]] = {}
        for name in columns.column_names:
            whole = columns[name].combine_chunks().dictionary_encode()
            if len(whole.dictionary) <= _FEW:
                self._values[name] = whole.dictionary.to_pylist()
                self._places[name] = whole.indices.to_numpy()
        self.others = [n for n in _COLUMNS if n not in self._values and n != "decl_name"]

    def of(self, order: int) -> dict[str, str]:
        return {name: values[self._places[name][order]] for name, values in self._values.items()}


def embedded_before(folder: Path, texts: set[str]) -> dict[str, npt.NDArray[np.float16]]:
    """Vectors of those texts that an index has embedded."""
    if not texts:
        return {}
    held = LanceIndex(folder).embedded()
    if held is None:
        return {}
    return {text: held[1][n] for n, text in enumerate(held[0]) if text in texts}


def _begun(work: Coroutine[Any, Any, T]) -> "Future[T]":
    """Work that runs on LanceDB's own event loop."""
    from lancedb.background_loop import LOOP

    return asyncio.run_coroutine_threadsafe(work, LOOP.loop)
