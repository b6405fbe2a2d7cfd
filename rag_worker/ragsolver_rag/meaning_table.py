"""Learned vectors as columns of the index's tables: written once, read back as arrays."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

MEANINGS = "meanings"
"""Table of the vectors of terms; a term's number is its row, pairs of terms come after."""
MEANING = "meaning"
"""Column of learned vectors, there and in the table of declarations."""


def vector_column(vectors: npt.NDArray[np.float16]) -> pa.FixedSizeListArray:
    """Vectors as a column, shape `(rows, dimensions)`."""
    flat = pa.array(vectors.ravel(), type=pa.float16())
    return pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])


def vectors_of(column: pa.ChunkedArray) -> npt.NDArray[np.float16]:
    """The vectors of a column."""
    size = column.type.list_size
    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    found: npt.NDArray[np.float16] = np.concatenate(parts).astype(np.float16).reshape(-1, size)
    return found
