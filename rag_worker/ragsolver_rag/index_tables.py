"""LanceDB's tables opened, and what they say of themselves."""

from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from ragsolver_rag.index_folder import MATHLIB
from ragsolver_rag.index_write import VECTOR


class Caches(NamedTuple):
    """What LanceDB may keep in memory for one opened index, in bytes."""

    indices: int = 1 << 30
    metadata: int = 128 << 20


async def open_tables(folder: Path, caches: Caches) -> tuple[Any, Any]:
    """The database in a folder and its table of declarations."""
    import lancedb  # takes a second, and only an opened index needs it

    session = lancedb.Session(
        index_cache_size_bytes=caches.indices, metadata_cache_size_bytes=caches.metadata
    )
    database = await lancedb.connect_async(folder, session=session)
    return database, await database.open_table(MATHLIB)


class About(NamedTuple):
    """What a table says of itself."""

    columns: frozenset[str]
    rows: int
    dimensions: int
    """Of its vectors; 0: it has none."""
    indexed: frozenset[str]
    """Columns with an index."""
    unindexed: int
    """Rows that some index does not have."""


async def about_table(table: Any) -> About:
    """What the table of declarations says of itself."""
    schema: pa.Schema = await table.schema()
    indices = await table.list_indices()
    stats = [await table.index_stats(index.name) for index in indices]
    return About(
        columns=frozenset(schema.names),
        rows=await table.count_rows(),
        dimensions=schema.field(VECTOR).type.list_size if VECTOR in schema.names else 0,
        indexed=frozenset(column for index in indices for column in index.columns),
        unindexed=max((s.num_unindexed_rows for s in stats if s is not None), default=0),
    )
