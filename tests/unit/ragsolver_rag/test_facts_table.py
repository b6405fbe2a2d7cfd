import numpy as np
import pyarrow as pa

from ragsolver_rag.facts_table import FACT_COLUMNS, facts_columns, read_facts
from ragsolver_rag.index_memory import facts_of_rows
from ragsolver_rag.verbalize import FIELDS
from suites import library


def test_facts_come_back_as_they_were_written():
    rows = library.rows()
    columns, words = facts_columns(rows)
    for name in ("popularity", "kind", "origin", "deprecated", "module_path"):
        columns[name] = [getattr(row, name) for row in rows]
    table = pa.table(columns)
    assert set(FACT_COLUMNS) == set(table.column_names)
    found, wanted = read_facts(table, words), facts_of_rows(rows)
    assert found.vocabulary == wanted.vocabulary
    assert np.array_equal(found.weights, wanted.weights)
    for field in FIELDS:
        assert np.array_equal(found.fields[field].terms, wanted.fields[field].terms)
        assert np.array_equal(found.fields[field].starts, wanted.fields[field].starts)
    assert np.array_equal(found.shapes.terms, wanted.shapes.terms)
    assert all(np.array_equal(a, b) for a, b in zip(found.priors, wanted.priors, strict=True))
