"""Facts as columns of the index's tables: written with the rows, read back as arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ragsolver_rag.facts import (
    Facts,
    TermLists,
    priors_of,
    shape_lists,
    term_lists,
    term_weights,
    vocabulary_of,
)
from ragsolver_rag.index import DeclarationRow
from ragsolver_rag.verbalize import FIELDS

VOCABULARY = "vocabulary"
"""Table of terms: how many declarations have each; a term's number is its row."""
_PRIORS = ("popularity", "kind", "origin", "deprecated", "module_path")


def column_of(field: str) -> str:
    """Name of the column that holds the term numbers of a field."""
    return f"terms_{field}"


_SHAPES = "shapes"
FACT_COLUMNS = (*_PRIORS, _SHAPES, *(column_of(field) for field in FIELDS))
"""Columns from which the facts are read."""


def facts_columns(rows: Sequence[DeclarationRow]) -> tuple[dict[str, Any], pa.Table]:
    """Columns of term numbers for the declarations, and the table of terms."""
    fields = [row.fields for row in rows]
    vocabulary, containing = vocabulary_of(fields)
    lists = {column_of(field): term_lists(fields, field, vocabulary) for field in FIELDS}
    lists[_SHAPES] = shape_lists(fields)
    columns = {
        name: pa.ListArray.from_arrays(pa.array(of.starts, pa.int32()), pa.array(of.terms))
        for name, of in lists.items()
    }
    words = {"term": list(vocabulary), "containing": containing}
    schema = pa.schema([("term", pa.string()), ("containing", pa.int64())])
    return columns, pa.table(words, schema=schema)


def read_facts(declarations: pa.Table, words: pa.Table) -> Facts:
    """Facts from the columns `FACT_COLUMNS` of all declarations and the table of terms.

    Raises:
        ValueError: the two do not belong together.
    """
    values = {name: _whole(declarations[name]) for name in FACT_COLUMNS}
    lists = {field: _lists(values[column_of(field)]) for field in FIELDS}
    priors = priors_of(*(values[name].to_pylist() for name in _PRIORS))
    terms = {term: number for number, term in enumerate(words["term"].to_pylist())}
    for field, of in lists.items():
        if len(of.terms) and not 0 <= int(of.terms.min()) <= int(of.terms.max()) < len(terms):
            raise ValueError(f"field {field} has terms that the vocabulary does not have")
    weights = term_weights(words["containing"].to_numpy(), declarations.num_rows)
    return Facts(terms, weights, lists, _lists(values[_SHAPES]), priors)


def _lists(column: Any) -> TermLists:
    starts = column.offsets.to_numpy().astype(np.int64)
    return TermLists(starts, column.values.to_numpy().astype(np.int32, copy=False))


def _whole(column: pa.ChunkedArray) -> Any:
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined
