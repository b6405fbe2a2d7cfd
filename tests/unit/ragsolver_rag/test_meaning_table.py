import numpy as np
import pyarrow as pa

from ragsolver_rag.meaning_table import vector_column, vectors_of


def test_vectors_come_back_as_they_were_written():
    vectors = np.random.default_rng(1).random((5, 8)).astype(np.float16)
    column = pa.chunked_array([vector_column(vectors[:2]), vector_column(vectors[2:])])
    assert np.array_equal(vectors_of(column), vectors)
    assert np.array_equal(vectors_of(column.slice(1, 3)), vectors[1:4])
