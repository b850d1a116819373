"""Vectors as product-quantised codes (Jégou, Douze & Schmid 2011), and scores straight from them.

A vector is cut into pieces, each replaced by the number of the nearest of 256 centroids; FAISS
learns them in training. A query's inner products with all centroids make a table, and a score is
the sum of one table entry a piece; many queries at once are scored by decoding a block of rows at
a time. Either way a million answers need little memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray

TABLES = 2  # up to this many table entries a number of the vector; where the two ways meet here
BLOCK = 16_384  # rows decoded at a time: 16 MB


@dataclass(frozen=True, eq=False)
class Codes:
    """`codes[i, m]` is the centroid of piece m of vector i; `centroids[m, c]` is its piece."""

    codes: NDArray[np.uint8]
    centroids: NDArray[np.float32]

    def __len__(self) -> int:
        return int(self.codes.shape[0])

    @property
    def width(self) -> int:
        return int(self.centroids.shape[0] * self.centroids.shape[2])

    def decode(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        pieces = np.arange(self.codes.shape[1])
        return self.centroids[pieces, self.codes[rows]].reshape(len(rows), self.width)

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        """The codes nearest to vectors; a few at a time, for it is plain numpy."""
        pieces, _, size = self.centroids.shape
        parts = vectors.reshape(len(vectors), pieces, 1, size)
        found = np.empty((len(vectors), pieces), dtype=np.uint8)
        for i, part in enumerate(parts):
            found[i] = ((self.centroids - part) ** 2).sum(axis=2).argmin(axis=1)
        return found

    def score(self, vectors: NDArray[np.float32], begin: int, end: int) -> NDArray[np.float32]:
        """Inner products of vectors with the coded rows `begin:end`.

        For a few vectors sums of table entries are fastest; for many, rows are decoded block by
        block and multiplied, which is ten times as fast for the clues of a whole puzzle. Both add
        up in a fixed order, whatever the number of threads.
        """
        out = np.empty((len(vectors), end - begin), dtype=np.float32)
        codes = self.codes[begin:end]
        codes.flags.writeable = False  # so that codes in shared memory need no kernel of their own
        pieces, _, size = self.centroids.shape
        if len(vectors) * pieces <= TABLES * self.width:
            parts = vectors.reshape(len(vectors), pieces, size)
            tables = np.einsum("bms,mcs->bmc", parts, self.centroids).astype(np.float32)
            _sum_tables(codes, tables, out)
            return out
        block = np.empty((min(BLOCK, len(codes)), self.width), dtype=np.float32)
        for start in range(0, len(codes), BLOCK):
            rows = codes[start : start + BLOCK]
            _decode(rows, self.centroids, block)
            np.matmul(vectors, block[: len(rows)].T, out=out[:, start : start + len(rows)])
        return out


@numba.njit(parallel=True, cache=True, nogil=True)
def _decode(
    codes: NDArray[np.uint8], centroids: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    size = centroids.shape[2]
    for i in numba.prange(codes.shape[0]):
        for m in range(codes.shape[1]):
            code = codes[i, m]
            for k in range(size):
                out[i, m * size + k] = centroids[m, code, k]


@numba.njit(parallel=True, fastmath=False, cache=True, nogil=True)
def _sum_tables(
    codes: NDArray[np.uint8], tables: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """Blocks of rows in parallel; a row's codes are read once for all queries."""
    count, pieces = codes.shape
    block = 512
    for b in numba.prange((count + block - 1) // block):
        for q in range(tables.shape[0]):
            table = tables[q]
            for i in range(b * block, min((b + 1) * block, count)):
                total = np.float32(0.0)
                for m in range(pieces):
                    total += table[m, codes[i, m]]
                out[q, i] = total
