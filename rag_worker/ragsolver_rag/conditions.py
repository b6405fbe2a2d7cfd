"""Filters of a request as conditions of the index's tables."""

from collections.abc import Sequence

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index import MATHLIB_UNIT


def impossible(filters: RetrievalFilters) -> bool:
    """Whether no declaration can satisfy them."""
    return bool(filters.unit_types) and MATHLIB_UNIT not in filters.unit_types


def clauses(filters: RetrievalFilters) -> list[str]:
    """Conditions that all must hold."""
    wanted = (
        ("kind", filters.kinds),
        ("doc_id", filters.doc_ids),
        ("math_area", filters.math_area),
    )
    return [any_of(column, values) for column, values in wanted if values]


def any_of(column: str, values: Sequence[str]) -> str:
    """That a column has one of some values."""
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({quoted})"
