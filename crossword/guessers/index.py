"""Vectors in FAISS, one index for each answer length, opened when a length is first asked for.

Indexes are flat (exact) and searched by inner product, the cosine of unit vectors. The length
filter comes before the neighbours: a clue of another length can't push one out. Files are
FAISS's own, mapped where FAISS can. What is on disk is checked by the model folder's sha256
before it comes here, since FAISS trusts its input.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossword.errors import ModelError


def _file(part: Path, length: int) -> Path:
    return part / f"length-{length:02}.faiss"


class LengthIndex:
    """Nearest vectors among those of one length."""

    def __init__(self, part: Path, dimensions: int) -> None:
        self._part, self._dimensions = part, dimensions
        self._open: dict[int, Any] = {}

    def _index(self, length: int) -> Any:
        if length not in self._open:
            import faiss

            file = _file(self._part, length)
            if not file.exists():
                self._open[length] = None
                return None
            try:
                index = faiss.read_index(str(file), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)
            except RuntimeError:
                raise ModelError(f"{file} can't be read; please train it again") from None
            if index.d != self._dimensions:
                raise ModelError(f"{file} has vectors of another size; please train it again")
            self._open[length] = index
        return self._open[length]

    def search(
        self, length: int, vectors: NDArray[np.float32], count: int
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """For each vector the similarities and rows of its nearest, best first."""
        index = self._index(length)
        if index is None or index.ntotal == 0:
            shape = (len(vectors), 0)
            return np.zeros(shape, np.float32), np.zeros(shape, np.int64)
        similarity, rows = index.search(np.ascontiguousarray(vectors), min(count, index.ntotal))
        return similarity, rows


def write_index(part: Path, length: int, vectors: NDArray[np.float32]) -> None:
    """Store the vectors of one length, in the order of their rows."""
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.ascontiguousarray(vectors, dtype=np.float32))
    faiss.write_index(index, str(_file(part, length)))
